use super::*;

fn check(patch: &str, expected: &[&str]) {
    let found = paths(patch).unwrap();
    assert_eq!(found.iter().map(|path| &**path).collect::<Vec<_>>(), expected, "{patch}");
}

#[test]
fn every_path_of_a_patch_is_read() {
    check(
        "*** Begin Patch\n*** Add File: a/new.txt\n+hello\n*** Update File: old.rs\n\
         *** Move to: dir/moved.rs\n@@ fn x\n-a\n+b\n*** End of File\n*** Delete File: gone\n*** End Patch\n",
        &["a/new.txt", "old.rs", "dir/moved.rs", "gone"],
    );
    // A harness trims lines and knows both line endings.
    check("*** Begin Patch\r\n  *** Add File:   a b.txt  \r\n+x\r\n*** End Patch", &["a b.txt"]);
    check("<<'EOF'\n*** Begin Patch\n*** Delete File: x\n*** End Patch\nEOF", &["x"]);
}

#[test]
fn what_could_name_a_path_does() {
    check(
        "*** Begin Patch\n*** Update File: a\n@@\n *** Delete File: b\n-c\n+d\n*** End Patch",
        &["a", "b"],
    );
}

#[test]
fn a_patch_that_cannot_be_read_is_refused() {
    for patch in [
        "",
        "*** Begin Patch",
        "*** Begin Patch\n*** End Patch",
        "*** Begin Patch\n*** Add File: \n+x\n*** End Patch",
        "*** Begin Patch\n*** Add File: a\0b\n+x\n*** End Patch",
        "*** Begin Patch\n*** Rename File: a\n*** End Patch",
        "*** Add File: a\n+x",
        "*** Begin Patch\n*** Add File: a\n+x\n*** End Patch\nrm -rf /",
        "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b",
    ] {
        assert!(paths(patch).is_err(), "{patch}");
    }
}

const PATCH: &str = "*** Begin Patch\n*** Add File: a\n+x\n*** End Patch";

/// The folder and the paths of a patch.
type Found = Option<(Option<String>, Vec<String>)>;

fn shell(command: &str) -> Result<Found, String> {
    in_shell(command).map(|found| match found {
        InShell::None => None,
        InShell::Patch { folder, paths } => {
            Some((folder.map(Into::into), paths.iter().map(ToString::to_string).collect()))
        }
    })
}

#[test]
fn a_shell_line_that_is_a_patch_is_one() {
    let found = |folder: Option<&str>| Ok(Some((folder.map(str::to_owned), vec!["a".to_owned()])));
    assert_eq!(shell(&format!("apply_patch <<'EOF'\n{PATCH}\nEOF\n")), found(None));
    assert_eq!(shell(&format!("apply_patch << \"END_1\"\n{PATCH}\nEND_1")), found(None));
    assert_eq!(shell(&format!("cd sub && applypatch <<EOF\n{PATCH}\nEOF")), found(Some("sub")));
    let quoted = format!("cd 'a b' && apply_patch <<EOF\n{PATCH}\nEOF");
    assert_eq!(shell(&quoted), found(Some("a b")));
}

#[test]
fn a_patch_besides_something_else_is_refused() {
    for command in [
        format!("apply_patch <<'EOF'\n{PATCH}\nEOF\nrm -rf /"),
        format!("echo hi; apply_patch <<'EOF'\n{PATCH}\nEOF"),
        format!("cd $X && apply_patch <<'EOF'\n{PATCH}\nEOF"),
        format!("cd a; rm b && apply_patch <<'EOF'\n{PATCH}\nEOF"),
        format!("apply_patch '{PATCH}'"),
        format!("apply_patch <<'EOF' | tee x\n{PATCH}\nEOF"),
        format!("apply_patch <<'EOF'\n{PATCH}\nEOF\nrm x\nEOF"),
        "apply_patch <<'EOF'\n*** Begin Patch\nEOF".to_owned(),
    ] {
        assert!(shell(&command).is_err(), "{command}");
    }
}

#[test]
fn a_line_without_a_patch_is_a_shell_line() {
    for command in ["grep -r apply_patch src", "ls", "cat x | apply_patch"] {
        assert_eq!(shell(command), Ok(None), "{command}");
    }
}
