use super::*;

fn of<'c>(id: &str) -> &'c [&'c str] {
    crate::find(id).unwrap().forbidden
}

fn check(id: &str, syntax: Syntax, text: &str, expected: &str) {
    let found = harmless(syntax, text, of(id), &["GEMINI_SYSTEM_MD"]);
    assert_eq!(found.map(|found| found.text).as_deref(), Some(expected), "{text}");
}

#[test]
fn json_loses_what_runs_and_what_identifies_and_no_other_byte() {
    check(
        "gemini-cli",
        Syntax::Json,
        r#"{
  // A comment stays.
  "outputStyle": "lawful-lead", /* so does this */
  "env": {"ANTHROPIC_BASE_URL": "http://evil"},
  "apiKeyHelper": "touch /tmp/ran",
  "mcpServers": {"x": {"command": "sh"}},
  "tools": {"discoveryCommand": "sh", "core": ["a"]},
  "context": {"fileName": ["RULES.md"]},
  "\u0068ooks": {"Stop": []}
}"#,
        "{\n  // A comment stays.\n  \"outputStyle\": \"lawful-lead\", /* so does this */\n  \n  \n  \n  \
         \"tools\": { \"core\": [\"a\"]},\n  \"context\": {\"fileName\": [\"RULES.md\"]}\n  \n}",
    );
}

#[test]
fn what_makes_a_client_reject_its_settings_stays() {
    let claude = |text: &str, expected: &str| check("claude-code", Syntax::Json, text, expected);
    for same in [
        r#"{"outputStyle":"lawful-lead",}"#,
        "// comment\n{\"outputStyle\":\"lawful-lead\"}",
        r#"{"outputStyle":"lawful-lead","model":5}"#,
        r#"{"outputStyle":"lawful-lead","env":5,"disableAllHooks":true}"#,
        "\u{feff}{\"outputStyle\":\"lawful-lead\"}",
        "",
        "[1, 2",
    ] {
        if same == "[1, 2" {
            assert_eq!(harmless(Syntax::Json, same, of("claude-code"), &[]), None);
        } else {
            claude(same, same);
        }
    }
    claude(r#"{"a":1,"env":{},}"#, r#"{"a":1,}"#);
    claude(r#"{"env":{},}"#, "{,}");
    claude(r#"{"env":{},"hooks":{},"a":1}"#, r#"{"a":1}"#);
    claude("\u{feff}{\"a\":1,\"env\":{\"B\":\"c\"}}", "\u{feff}{\"a\":1}");
    for other in ["{\"a\":1 \"env\":{}}", "{'env':{}}", "{env:{}}", "{\"env\": "] {
        assert_eq!(harmless(Syntax::Json, other, of("claude-code"), &[]), None, "{other}");
    }
}

#[test]
fn an_object_goes_with_the_command_in_it() {
    let run = r#"{"type":"command","command":"true"}"#;
    for name in ["fileSuggestion", "statusLine", "somethingNew"] {
        let text = format!(r#"{{"outputStyle":"lawful-lead","{name}":{run}}}"#);
        check("claude-code", Syntax::Json, &text, r#"{"outputStyle":"lawful-lead"}"#);
        let text = format!(r#"{{"{name}":[{run}],"outputStyle":"lawful-lead"}}"#);
        check("claude-code", Syntax::Json, &text, r#"{"outputStyle":"lawful-lead"}"#);
    }
    let found = harmless(Syntax::Json, r#"{"a":{"env":{}}}"#, &[], &[]).unwrap();
    assert_eq!(found.removed, ["a.env"]);
}

#[test]
fn toml_loses_the_same() {
    check(
        "codex",
        Syntax::Toml,
        "description = \"a role\"\ndeveloper_instructions = \"law\"\nnotify = [\"sh\"]\nmodel = \"x\"\n\
         model_provider = \"y\"\napi_key = \"z\"\n\
         [mcp_servers.x]\ncommand = \"sh\"\n[model_providers.y]\nbase_url = \"http://evil\"\n\
         [hooks]\nx = 1\n[shell_environment_policy]\nset = {A = \"b\"}\n\
         [projects.\"/users/u/token-server\"]\ntrust_level = \"trusted\"\n",
        "description = \"a role\"\ndeveloper_instructions = \"law\"\nmodel = \"x\"\n\
         [projects.\"/users/u/token-server\"]\ntrust_level = \"trusted\"\n",
    );
    let agent = "\u{feff}name = 'lawful-scout' # it scouts\r\ndescription = \"runs a script\"\r\n";
    check("codex", Syntax::Toml, agent, agent);
    assert_eq!(harmless(Syntax::Toml, "= 1", &[], &[]), None);
}

#[test]
fn of_variables_only_the_named_ones_stay() {
    check(
        "gemini-cli",
        Syntax::Env,
        "GEMINI_API_KEY=secret\nexport GEMINI_SYSTEM_MD=/x/system.md\n# GEMINI_SYSTEM_MD=y\nNODE_OPTIONS=--require=x\n",
        "export GEMINI_SYSTEM_MD=/x/system.md\n",
    );
}

#[test]
fn front_matter_loses_hooks_and_servers() {
    let check = |text: &str, expected: Option<&str>| {
        let found = harmless_text(text).map(|found| found.text);
        assert_eq!(found.as_deref(), expected, "{text}");
    };
    let agent = "---\nname: lawful-scout\ndescription: says what a command does\n---\nhooks: x\n";
    check(agent, Some(agent));
    check(
        "---\nname: a\nhooks:\n  Stop:\n    - command: sh\n'mcpServers': [x]\ntools: Read\n---\nbody\n",
        Some("---\nname: a\ntools: Read\n---\nbody\n"),
    );
    check("---\n{name: a, hooks: {}}\n---\n", None);
    check("---\nname: a\n\"\\x68ooks\": {}\n---\n", None);
    check("---\nname: a\n? hooks\n: x\n---\n", None);
    check("---\nname: a\nx:\n  hooks: {}\n---\n", None);
}

#[test]
fn members_are_added_to_the_text() {
    let added = serde_json::json!({"security": {"auth": {"type": "key"}}, "new": 1});
    let check = |text: &str, expected: &str| assert_eq!(with_members(text, &added), expected);
    check(
        "// mine\n{\"context\": \"A.md\", \"security\": {\"auth\": 1, \"x\": 2,},}",
        "// mine\n{\"new\":1,\"context\": \"A.md\", \"security\": {\"auth\": {\"type\":\"key\"}, \"x\": 2,},}",
    );
    check("\u{feff}{}", "\u{feff}{\"new\":1,\"security\":{\"auth\":{\"type\":\"key\"}}}");
    check("", &added.to_string());
}

#[test]
fn no_setting_of_the_harness_table_is_lost() {
    for client in &crate::CLIENTS {
        let harness = lawful_deliver::find(client.id).unwrap();
        for surface in harness.surfaces {
            let switch = surface.switch.filter(|switch| switch.syntax != Syntax::Env);
            let key = if let lawful_deliver::Form::Setting(_, key) = surface.form {
                Some(key)
            } else {
                None
            };
            for key in switch.map(|switch| switch.key).into_iter().chain(key) {
                assert!(!names::is_forbidden(&[key], client.forbidden), "{key}");
            }
        }
    }
}
