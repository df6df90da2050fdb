use std::fs;

use super::*;

#[test]
fn a_changed_file_is_reported_and_a_hidden_one_is_not() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder.path().join(".lawful")).unwrap();
    fs::create_dir_all(folder.path().join("rules")).unwrap();
    let watch = Watch::of(&[folder.path().to_owned()]).unwrap();
    fs::write(folder.path().join(".lawful/sessions.db"), "x").unwrap();
    fs::write(folder.path().join("rules/a.yaml~"), "x").unwrap();
    fs::write(folder.path().join("rules/a.yaml"), "rules: []").unwrap();
    assert_eq!(watch.wait(), [PathBuf::from("rules/a.yaml")]);
}

#[test]
fn a_file_that_is_replaced_or_removed_is_a_change() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("lawful.yaml");
    fs::write(&file, "name: a").unwrap();
    let watch = Watch::of(&[folder.path().to_owned()]).unwrap();
    fs::write(folder.path().join(".lawful.yaml.swp"), "name: b").unwrap();
    fs::rename(folder.path().join(".lawful.yaml.swp"), &file).unwrap();
    assert_eq!(watch.wait(), [PathBuf::from("lawful.yaml")]);
    let watch = Watch::of(&[folder.path().to_owned()]).unwrap();
    fs::remove_file(&file).unwrap();
    assert_eq!(watch.wait(), [PathBuf::from("lawful.yaml")]);
}
