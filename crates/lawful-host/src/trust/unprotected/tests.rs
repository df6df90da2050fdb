use std::os::unix::fs::PermissionsExt as _;

use lawful::book::{MemorySource, Options, load};

use super::*;

#[test]
fn a_file_of_the_project_that_a_command_runs_must_be_protected() {
    let root = std::env::temp_dir().join(format!("lawful-unprotected-{}", std::process::id()));
    let _ = fs::remove_dir_all(&root);
    fs::create_dir_all(root.join("ci")).unwrap();
    for (file, mode) in
        [("ci/check.py", 0o644), ("ci/run", 0o755), ("Makefile", 0o644), ("README.md", 0o644)]
    {
        fs::write(root.join(file), "").unwrap();
        fs::set_permissions(root.join(file), fs::Permissions::from_mode(mode)).unwrap();
    }
    let warned = |command: &str, paths: &str| -> Vec<String> {
        let manifest =
            format!("name: law\nobserve: {{it: {command}}}\nprotect: {{paths: [{paths}]}}\n");
        let source = MemorySource::new().with("lawful.yaml", manifest);
        let (book, problems) = load(&source, Options::default()).unwrap();
        assert!(problems.is_empty(), "{problems:?}");
        let found = unprotected_commands(&book, &root, None);
        found.iter().map(|one| one.help.clone().unwrap_or_default()).collect()
    };
    let add = |path: &str| vec![format!("add `{path}` to `protect.paths`")];
    // It need not exist yet: an agent can create it.
    assert_eq!(warned("[./absent.sh]", ""), add("absent.sh"));
    assert_eq!(warned("[ci/run, --all]", ""), add("ci/run"));
    assert_eq!(warned("{run: [../check.sh], cwd: ci/deep}", ""), add("ci/check.sh"));
    assert_eq!(warned("[python3, ci/check.py]", ""), add("ci/check.py"));
    assert_eq!(warned("'cd ci && python3 check.py; ./ci/run'", ""), add("ci/run"));
    assert_eq!(warned("[timeout, '9', ci/run]", ""), add("ci/run"));
    assert_eq!(warned("[make, check]", ""), add("Makefile"));
    for (command, paths) in [
        ("[ci/run]", "ci"),
        ("[ci/run]", "'ci/*'"),
        ("[make, check]", "Makefile"),
        ("[cargo, test]", ""),
        ("[grep, words, README.md]", ""),
        ("[/usr/bin/true]", ""),
        ("[../outside.sh]", ""),
    ] {
        assert!(warned(command, paths).is_empty(), "{command}");
    }
    fs::remove_dir_all(&root).unwrap();
}
