use std::fs;

use super::*;

struct Scene(PathBuf);

impl Scene {
    fn new(name: &str) -> Self {
        let folder =
            std::env::temp_dir().join(format!("lawful-review-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        Self(folder.canonicalize().unwrap())
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.0.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn workspace(&self, book: &str) -> Workspace {
        let home = self.0.join("home").into_os_string();
        Workspace::at(self.0.join(book))
            .with_variables(move |name| (name == "XDG_STATE_HOME").then(|| home.clone()))
    }

    fn review(&self, book: &str) -> Review {
        self.workspace(book).review().unwrap()
    }

    fn trust(&self, book: &str) {
        self.workspace(book).trust(&self.review(book)).unwrap();
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_change_is_shown_by_file_and_by_name() {
    let scene = Scene::new("names");
    let manifest = "name: law\nobserve: {tests: [cargo, test], lint: cargo clippy}\n";
    scene.write("p/lawful.yaml", manifest);
    scene.write(
        "p/rules/r.yaml",
        "rules: [{id: greet, trigger: {type: turn-count, everyNTurns: 1}, actions: []}]\n",
    );
    scene.write("p/fragments/a.md", "---\nid: hello\n---\nHello");
    scene.write(
        "p/analysis/rulespec.yaml",
        "claims: [{name: c, selector: a}]\npredicates: [{name: p, claim: c, rule: exists}]\n",
    );
    let review = scene.workspace("p").review();
    let review = review.unwrap_or_else(|failure| panic!("{failure}"));
    assert_eq!(review.standing, Standing::New);
    assert_eq!(review.files.len(), 4);
    scene.workspace("p").trust(&review).unwrap();
    assert!(scene.review("p").is_trusted() && scene.review("p").parts.is_empty());
    scene.write(
        "p/lawful.yaml",
        "name: law\nobserve: {tests: [\"true\"], new: ./x.sh}\nhooks: {mode: shadow}\n",
    );
    fs::remove_file(scene.0.join("p/fragments/a.md")).unwrap();
    scene.write(
        "p/rules/r.yaml",
        "rules: [{id: greet, trigger: {type: turn-count, everyNTurns: 2}, actions: []}]\n",
    );
    scene.write("p/scenarios/s.yaml", "name: s\nsteps: []\n");
    let review = scene.review("p");
    assert_eq!(review.standing, Standing::Changed);
    let files: Vec<String> =
        review.files.iter().map(|file| format!("{} {}", file.change.name(), file.path)).collect();
    assert_eq!(files, ["removed fragments/a.md", "modified lawful.yaml", "modified rules/r.yaml"]);
    let parts: Vec<String> = review
        .parts
        .iter()
        .map(|part| {
            let runs = part.runs.as_ref().map_or(String::new(), |runs| format!(" {runs}"));
            format!("{} {} {}{runs}", part.change.name(), part.kind.name(), part.name)
        })
        .collect();
    assert_eq!(
        parts,
        [
            "removed command lint",
            "added command new sh -c `./x.sh`",
            "modified command tests [true]",
            "added setting hooks",
            "modified rule greet",
            "removed fragment hello",
        ]
    );
    let diff = review.diff("rules/r.yaml").lines().collect::<Vec<_>>().join("\n");
    assert!(diff.contains("--- trusted/rules/r.yaml") && diff.contains("everyNTurns: 2"), "{diff}");
    let codes: Vec<&str> = review.warnings.iter().map(|one| one.code.name).collect();
    assert_eq!(codes, ["unprotected-command"]);
}

#[test]
fn a_clone_needs_one_confirmation_and_an_older_version_more() {
    let scene = Scene::new("clone");
    scene.write("p/lawful.yaml", "name: one\n");
    scene.trust("p");
    scene.write("clone/lawful.yaml", "name: one\n");
    let review = scene.review("clone");
    assert_eq!(review.standing, Standing::Elsewhere(scene.0.join("p")));
    assert!(review.files.is_empty() && !review.is_trusted());
    scene.write("p/lawful.yaml", "name: two\n");
    scene.trust("p");
    // Now the clone has an older version: the difference to the newer one is shown.
    let review = scene.review("clone");
    assert_eq!(review.standing, Standing::OlderElsewhere(scene.0.join("p")));
    assert_eq!(review.files.len(), 1);
    // So it is where the newer one is registered.
    scene.write("p/lawful.yaml", "name: one\n");
    assert_eq!(scene.review("p").standing, Standing::Older);
    assert!(scene.workspace("p").revoke_trust().unwrap());
    assert!(!scene.workspace("p").revoke_trust().unwrap());
    assert_eq!(scene.review("p").standing, Standing::New);
}

#[test]
fn a_book_with_errors_is_refused_with_all_of_them() {
    let scene = Scene::new("errors");
    scene.write("p/lawful.yaml", "name: law\nnmae: x\n");
    scene.write("p/rules/r.yaml", "rules: [{id: r}]\n");
    scene.write("p/fragments/a.md", "---\nid: [\n---\n");
    let failure = scene.workspace("p").review().unwrap_err();
    assert!(failure.problems.len() >= 3, "{failure}");
    assert!(failure.problems.iter().all(Diagnostic::is_error));
}

#[test]
fn what_is_registered_is_what_was_reviewed() {
    let scene = Scene::new("reviewed");
    scene.write("p/lawful.yaml", "name: one\n");
    let review = scene.review("p");
    scene.write("p/lawful.yaml", "name: two\n");
    scene.workspace("p").trust(&review).unwrap();
    assert_eq!(scene.review("p").standing, Standing::Changed);
}
