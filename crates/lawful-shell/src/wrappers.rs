//! Programs that run the command in their arguments.
//!
//! A row says where the command starts: after the options, after their values, and after a number
//! of operands. A name with a blank is a program and its sub-command.

use crate::options::Spec;

/// A program that runs a command.
pub(crate) struct Wrapper {
    pub(crate) name: &'static str,
    pub(crate) spec: Spec,
    /// How many words come between the options and the command.
    pub(crate) operands: usize,
    pub(crate) rest: Rest,
    /// What runs if there is no command.
    pub(crate) bare: Bare,
    /// The command runs on another machine or below another root.
    pub(crate) elsewhere: bool,
}

/// What the words after the options and operands are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rest {
    /// A program and its arguments.
    Words,
    /// Words that a shell reads again, joined by blanks.
    Line,
    /// Each word is a line for a shell.
    Lines,
    /// Ordinary arguments: only options run something.
    Plain,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bare {
    Nothing,
    /// A shell that reads its standard input.
    Shell,
}

const ROW: Wrapper = Wrapper {
    name: "",
    spec: Spec::NONE,
    operands: 0,
    rest: Rest::Words,
    bare: Bare::Nothing,
    elsewhere: false,
};

/// A row with options that take values.
const fn row(name: &'static str, values: &'static str) -> Wrapper {
    Wrapper { name, spec: Spec { values, ..Spec::NONE }, ..ROW }
}

/// A row whose options hold lines; its other arguments are ordinary.
const fn lines(name: &'static str, lines: &'static str) -> Wrapper {
    Wrapper { name, spec: Spec { lines, permuted: true, ..Spec::NONE }, rest: Rest::Plain, ..ROW }
}

const DOCKER_RUN: &str = "-a -c -e -h -l -m -p -u -v -w --add-host --annotation --attach --blkio-weight --cap-add --cap-drop --cgroup-parent --cgroupns --cidfile --cpu-period --cpu-quota --cpu-shares --cpus --cpuset-cpus --cpuset-mems --device --dns --dns-option --dns-search --domainname --entrypoint --env --env-file --expose --gpus --group-add --health-cmd --health-interval --health-retries --health-timeout --hostname --ip --ip6 --ipc --isolation --label --label-file --link --log-driver --log-opt --mac-address --memory --memory-swap --mount --name --net --network --network-alias --pid --platform --pids-limit --publish --pull --restart --runtime --security-opt --shm-size --stop-signal --stop-timeout --storage-opt --sysctl --tmpfs --ulimit --user --userns --uts --volume --volume-driver --volumes-from --workdir";
const DOCKER_EXEC: &str = "-e -u -w --detach-keys --env --env-file --index --user --workdir";
const UV_RUN: &str = "-p -w -n --cache-dir --directory --env-file --extra --from --group --index --index-url --only-group --package --project --python --with --with-editable --with-requirements";

const fn container(name: &'static str, values: &'static str) -> Wrapper {
    Wrapper { name, spec: Spec { values, ..Spec::NONE }, operands: 1, elsewhere: true, ..ROW }
}

/// Sorted by name.
pub(crate) const WRAPPERS: &[Wrapper] = &[
    row("-", ""),
    row("arch", "-arch -d -e"),
    row("asdf exec", ""),
    Wrapper { operands: 1, ..row("aws-vault exec", "-d --duration --region -t --mfa-token") },
    row("builtin", ""),
    row("bun x", "-p --package"),
    row("bundle exec", "--gemfile"),
    row("bunx", "-p --package"),
    row("busybox", ""),
    row("caffeinate", "-t -w"),
    Wrapper {
        spec: Spec {
            values: "-C -d -i -w -x -E -B --exec --delay --ignore --watch --workdir --features --env-file",
            lines: "-s --shell",
            ..Spec::NONE
        },
        ..row("cargo watch", "")
    },
    row("chronic", ""),
    Wrapper {
        operands: 1,
        bare: Bare::Shell,
        elsewhere: true,
        ..row("chroot", "--groups --userspec")
    },
    Wrapper {
        operands: 1,
        ..row("chrt", "-T -P -D -p --sched-runtime --sched-period --sched-deadline")
    },
    row("command", ""),
    row("conda run", "-n -p --name --prefix --cwd"),
    Wrapper { operands: 1, ..row("direnv exec", "") },
    row("doas", "-C -a -u"),
    container("docker compose exec", DOCKER_EXEC),
    container("docker compose run", DOCKER_RUN),
    container("docker container exec", DOCKER_EXEC),
    container("docker container run", DOCKER_RUN),
    container("docker exec", DOCKER_EXEC),
    container("docker run", DOCKER_RUN),
    row("doppler run", "-p -c -t --project --config --token"),
    row("dotenv", "-e -f -c -v"),
    row("dumb-init", "-r --rewrite"),
    row("eatmydata", ""),
    row("exec", "-a"),
    row("fakeroot", "-b -i -l -s"),
    row("git bisect run", ""),
    lines("git difftool", "-x --extcmd"),
    lines("git fetch", "--upload-pack"),
    lines(
        "git filter-branch",
        "--env-filter --tree-filter --index-filter --parent-filter --msg-filter --commit-filter --tag-name-filter --setup",
    ),
    lines("git ls-remote", "--upload-pack --exec"),
    lines("git pull", "--upload-pack"),
    lines("git push", "--receive-pack --exec"),
    lines("git rebase", "-x --exec"),
    Wrapper { rest: Rest::Line, ..row("git submodule foreach", "") },
    Wrapper { operands: 1, ..row("gosu", "") },
    Wrapper {
        spec: Spec {
            values: "-w -m -M -r -L -D -n -N -i --warmup --min-runs --max-runs --runs --parameter-list --parameter-scan --parameter-step-size --style --sort --time-unit --export-json --export-csv --export-markdown --export-asciidoc --command-name -u --output --input -S --shell",
            lines: "-p -c -s --prepare --cleanup --setup --conclude",
            permuted: true,
            ..Spec::NONE
        },
        rest: Rest::Lines,
        ..row("hyperfine", "")
    },
    row("ionice", "-c -n -p -P -u --class --classdata --pid --pgid --uid"),
    container("kubectl exec", "-c -f -n --container --filename --namespace --pod-running-timeout"),
    row("ltrace", "-A -a -D -e -F -l -n -o -p -s -u -w -x"),
    row("mise exec", "-C -c -j --command --jobs"),
    row("mise x", "-C -c -j --command --jobs"),
    row("nice", "-n --adjustment"),
    lines("nix-shell", "--run --command"),
    row("nocorrect", ""),
    row("noglob", ""),
    row("nohup", ""),
    Wrapper {
        spec: Spec { values: "-w -p --workspace --package", lines: "-c --call", ..Spec::NONE },
        ..row("npm exec", "")
    },
    Wrapper {
        spec: Spec { values: "-w -p --workspace --package", lines: "-c --call", ..Spec::NONE },
        ..row("npm x", "")
    },
    Wrapper {
        spec: Spec { values: "-w -p --workspace --package", lines: "-c --call", ..Spec::NONE },
        ..row("npx", "")
    },
    Wrapper {
        bare: Bare::Shell,
        elsewhere: true,
        ..row("nsenter", "-t -S -G --target --setuid --setgid")
    },
    row(
        "numactl",
        "-C -N -i -m -p -l --cpunodebind --interleave --membind --physcpubind --preferred",
    ),
    row("op run", "--env-file --account"),
    row("pipenv run", ""),
    row("pipx run", "--spec --python --index-url --pip-args"),
    row("pnpm dlx", "--package"),
    row("pnpm exec", ""),
    container("podman exec", DOCKER_EXEC),
    container("podman run", DOCKER_RUN),
    row("poetry run", ""),
    row("prlimit", "-o -p --output --pid"),
    row("proxychains4", "-f"),
    row("pyenv exec", ""),
    row("rbenv exec", ""),
    row("rlwrap", "-b -c -f -H -P -s -S"),
    Wrapper {
        spec: Spec {
            values: "-g -G -s -u -w --group --shell --supp-group --user",
            lines: "-c --command --session-command",
            ..Spec::NONE
        },
        bare: Bare::Shell,
        ..row("runuser", "")
    },
    Wrapper { operands: 1, ..row("rustup run", "") },
    Wrapper {
        spec: Spec {
            values: "-B -E -I -O -T -m -o --echo --log-in --log-io --log-out --log-timing --logging-format --output-limit",
            lines: "-c --command",
            permuted: true,
            ..Spec::NONE
        },
        rest: Rest::Plain,
        bare: Bare::Shell,
        ..row("script", "")
    },
    row(
        "setpriv",
        "--clear-groups --groups --inh-caps --ambient-caps --bounding-set --euid --egid --ruid --rgid --reuid --regid --securebits --pdeathsig --selinux-label --apparmor-profile",
    ),
    row("setsid", ""),
    Wrapper {
        operands: 1,
        rest: Rest::Line,
        bare: Bare::Shell,
        elsewhere: true,
        ..row("ssh", "-B -D -E -F -I -J -L -O -P -Q -R -S -W -b -c -e -i -l -m -o -p -w")
    },
    row("sshpass", "-P -d -f -p"),
    row("stdbuf", "-e -i -o --error --input --output"),
    row("strace", "-E -I -O -P -S -U -X -a -b -e -o -p -s -u"),
    Wrapper {
        spec: Spec {
            values: "-G -g -s -w --group --shell --supp-group --whitelist-environment",
            lines: "-c --command --session-command",
            permuted: true,
            ..Spec::NONE
        },
        rest: Rest::Plain,
        bare: Bare::Shell,
        ..row("su", "")
    },
    Wrapper { operands: 1, ..row("su-exec", "") },
    Wrapper {
        spec: Spec {
            values: "-C -R -T -U -g -h -p -r -t -u --chroot --close-from --command-timeout --group --host --other-user --prompt --role --type --user",
            folder: "-D --chdir",
            assignments: true,
            ..Spec::NONE
        },
        bare: Bare::Shell,
        ..row("sudo", "")
    },
    row(
        "systemd-run",
        "-E -H -M -p -u --description --gid --host --machine --nice --property --service-type --setenv --slice --uid --unit --working-directory",
    ),
    Wrapper { operands: 1, ..row("taskset", "-p") },
    row("time", "-f -o --format --output"),
    Wrapper { operands: 1, ..row("timeout", "-k -s --kill-after --signal") },
    row("tini", "-e -p"),
    row("torsocks", "-P -a -p -u"),
    row("toybox", ""),
    row("unbuffer", ""),
    Wrapper {
        bare: Bare::Shell,
        elsewhere: true,
        ..row(
            "unshare",
            "-G -R -S -w --map-group --map-groups --map-user --map-users --propagation --root --setgid --setgroups --setuid --wd",
        )
    },
    row("uv run", UV_RUN),
    row("uv tool run", UV_RUN),
    row("uvx", UV_RUN),
    row("valgrind", ""),
    Wrapper { rest: Rest::Line, ..row("watch", "-n -q --interval --equexit") },
    row(
        "xvfb-run",
        "-e -f -n -p -s -w --auth-file --error-file --server-args --server-num --wait --xauth-protocol",
    ),
    row("yarn dlx", "-p --package"),
    row("yarn exec", ""),
];

pub(crate) fn wrapper(name: &str) -> Option<&'static Wrapper> {
    let index = WRAPPERS.binary_search_by(|wrapper| wrapper.name.cmp(name)).ok()?;
    WRAPPERS.get(index)
}
