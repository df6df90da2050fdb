//! Names of settings that must not be copied.

/// Whether a setting must go: the table names its path, or a word of its name is harmful.
pub(super) fn is_forbidden(path: &[&str], forbidden: &[&str]) -> bool {
    let is_named = |pattern: &&str| {
        let parts: Vec<&str> = pattern.split('.').collect();
        let fits = |(part, name): (&&str, &&str)| *part == "*" || part == name;
        parts.len() == path.len() && parts.iter().zip(path).all(fits)
    };
    forbidden.iter().any(is_named) || path.last().is_some_and(|name| is_harmful(name))
}

/// Words that say what a setting does.
const HARMFUL: [&str; 60] = [
    "api",
    "apikey",
    "auth",
    "authentication",
    "certificate",
    "certificates",
    "cmd",
    "command",
    "commands",
    "credential",
    "credentials",
    "endpoint",
    "endpoints",
    "env",
    "environment",
    "exec",
    "executable",
    "extension",
    "extensions",
    "formatter",
    "formatters",
    "header",
    "headers",
    "helper",
    "helpers",
    "hook",
    "hooks",
    "host",
    "hosts",
    "login",
    "lsp",
    "marketplace",
    "marketplaces",
    "mcp",
    "notify",
    "otel",
    "package",
    "packages",
    "password",
    "plugin",
    "plugins",
    "provider",
    "providers",
    "proxy",
    "refresh",
    "sandbox",
    "script",
    "scripts",
    "secret",
    "secrets",
    "server",
    "servers",
    "shell",
    "statusline",
    "telemetry",
    "token",
    "tokens",
    "url",
    "urls",
    "worktree",
];

/// Whether a word of a name is harmful.
pub(super) fn is_harmful(name: &str) -> bool {
    // A project is named by its path and a prompt of Lawful by its role, which can be any word.
    let is_free = name.contains('/') || name.starts_with("lawful-");
    !is_free && words(name).iter().any(|word| HARMFUL.contains(&word.as_str()))
}

/// Whether a mapping with this name in it describes something to run or to connect to, so that it
/// is nothing without it.
pub(super) fn is_essence(name: &str) -> bool {
    ["command", "cmd", "exec", "script", "url"].contains(&name)
}

/// The words of `camelCase`, `snake_case` or `kebab-case`, in lower case.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    let mut letters = name.chars().peekable();
    while let Some(letter) = letters.next() {
        let is_last_capital =
            before.is_uppercase() && letters.peek().is_some_and(|c| c.is_lowercase());
        if letter.is_uppercase() && (!before.is_uppercase() || is_last_capital) {
            words.push(String::new());
        }
        if !letter.is_alphanumeric() {
            words.push(String::new());
        } else if let Some(word) = words.last_mut() {
            word.extend(letter.to_lowercase());
        }
        before = letter;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_counts_and_a_part_of_a_word_does_not() {
        for name in
            ["apiKey", "api_key", "baseURL", "MCPServers", "awsAuthRefresh", "hooks", "x-env"]
        {
            assert!(is_harmful(name), "{name}");
        }
        for name in ["description", "developer_instructions", "author", "envelope", "outputStyle"] {
            assert!(!is_harmful(name), "{name}");
        }
    }

    #[test]
    fn a_path_is_compared_whole() {
        assert!(is_forbidden(&["agent", "x", "model"], &["agent.*.model"]));
        for path in [&["model"][..], &["agent", "model"], &["agent", "x", "model", "y"]] {
            assert!(!is_forbidden(path, &["agent.*.model"]), "{path:?}");
        }
    }
}
