//! Global options: the words between a program and its sub-command.

use crate::expand::Arg;
use crate::options::{self, Spec};

/// A program that has sub-commands.
pub(crate) struct Global {
    pub(crate) name: &'static str,
    /// The global options that take a value, separated by blanks.
    pub(crate) values: &'static str,
}

/// Sorted by name.
pub(crate) const GLOBALS: &[Global] = &[
    Global { name: "apt", values: "-c -o -t --option --config-file --target-release" },
    Global { name: "apt-get", values: "-c -o -t --option --config-file --target-release" },
    Global { name: "asdf", values: "" },
    Global {
        name: "aws",
        values: "--ca-bundle --cli-connect-timeout --cli-read-timeout --color --endpoint-url --output --profile --query --region",
    },
    Global { name: "aws-vault", values: "" },
    Global { name: "brew", values: "" },
    Global { name: "bun", values: "--config --cwd -c" },
    Global { name: "bundle", values: "" },
    Global { name: "cargo", values: "-C -Z --color --config --explain" },
    Global { name: "composer", values: "-d --working-dir" },
    Global { name: "conda", values: "" },
    Global { name: "deno", values: "" },
    Global { name: "direnv", values: "" },
    Global {
        name: "docker",
        values: "-H -c -l --config --context --host --log-level --tlscacert --tlscert --tlskey",
    },
    Global { name: "doppler", values: "" },
    Global { name: "gcloud", values: "--account --configuration --format --project --verbosity" },
    Global { name: "gh", values: "-R --repo" },
    Global {
        name: "git",
        values: "-C -c --attr-source --config-env --git-dir --namespace --super-prefix --work-tree",
    },
    Global { name: "go", values: "-C" },
    Global { name: "helm", values: "-n --kube-context --kubeconfig --namespace" },
    Global { name: "hg", values: "-R --config --cwd --encoding --repository" },
    Global { name: "jj", values: "-R --at-operation --color --config --config-file --repository" },
    Global {
        name: "kubectl",
        values: "-n -s -v --as --as-group --cluster --context --kubeconfig --namespace --request-timeout --server --token --user",
    },
    Global { name: "mise", values: "-C --cd -E --env -j --jobs" },
    Global { name: "nix", values: "--option --log-format --store" },
    Global {
        name: "npm",
        values: "-C -w --cache --loglevel --prefix --registry --userconfig --workspace",
    },
    Global { name: "op", values: "" },
    Global { name: "pip", values: "--cache-dir --log --proxy --python --retries --timeout" },
    Global { name: "pip3", values: "--cache-dir --log --proxy --python --retries --timeout" },
    Global { name: "pipenv", values: "--python" },
    Global { name: "pipx", values: "" },
    Global { name: "pnpm", values: "-C -F --dir --filter --loglevel" },
    Global {
        name: "podman",
        values: "--config --connection --log-level --root --runroot --runtime --storage-driver --tmpdir --url -c",
    },
    Global { name: "poetry", values: "-C -P --directory --project" },
    Global { name: "pyenv", values: "" },
    Global { name: "rbenv", values: "" },
    Global { name: "rustup", values: "" },
    Global { name: "svn", values: "--config-dir --config-option --password --username" },
    Global {
        name: "systemctl",
        values: "-H -M -n -o -p -s -t --host --lines --machine --output --property --root --signal --state --type",
    },
    Global { name: "terraform", values: "" },
    Global { name: "tofu", values: "" },
    Global { name: "uv", values: "--cache-dir --color --config-file --directory --project" },
    Global { name: "yarn", values: "--cwd" },
];

pub(crate) fn global(name: &str) -> Option<&'static Global> {
    let index = GLOBALS.binary_search_by(|global| global.name.cmp(name)).ok()?;
    GLOBALS.get(index)
}

/// Where the sub-command is.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Sub {
    At(usize),
    /// The command has no sub-command.
    Missing,
    /// An expansion or a pattern comes before it or is in its place.
    Unknown,
}

/// Finds the sub-command in the arguments of a program, the program being the first of them.
pub(crate) fn sub_command(global: &Global, args: &[Arg]) -> Sub {
    let spec = Spec { values: global.values, ..Spec::NONE };
    let mut start = 1;
    if args.get(1).is_some_and(|arg| arg.text.starts_with('+')) {
        // `cargo +nightly`
        start = 2;
    }
    let scan = options::scan(args.get(start..).unwrap_or_default(), &spec);
    let index = start + scan.next;
    match args.get(index) {
        None => Sub::Missing,
        Some(arg) if arg.is_known() => Sub::At(index),
        Some(_) => Sub::Unknown,
    }
}

/// The words without global options, with the usual name of the program.
pub(crate) fn of(words: &[String]) -> Vec<String> {
    let Some((program, rest)) = words.split_first() else { return Vec::new() };
    let name = usual_name(program);
    let mut essence = vec![name.clone()];
    let args: Vec<Arg> = words.iter().map(Arg::known).collect();
    let found = global(&name).map(|global| sub_command(global, &args));
    match found {
        Some(Sub::At(index)) => essence.extend(words.iter().skip(index).cloned()),
        Some(Sub::Missing | Sub::Unknown) | None => essence.extend(rest.iter().cloned()),
    }
    essence
}

/// The name in lowercase and without `.exe`.
pub(crate) fn usual_name(program: &str) -> String {
    let is_name = |letter: char| letter.is_ascii_alphanumeric() || "-._+".contains(letter);
    if !program.chars().all(is_name) {
        return program.to_owned();
    }
    let lower = program.to_lowercase();
    match lower.strip_suffix(".exe") {
        Some(stem) if !stem.is_empty() => stem.to_owned(),
        Some(_) | None => lower,
    }
}
