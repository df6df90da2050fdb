use super::*;

fn plain() -> Options {
    let hook = crate::find_hook("opencode").unwrap();
    Options::new(hook, &Event::ALL, &HookCommand::default())
}

#[test]
fn the_options_are_found_again() {
    let command = HookCommand {
        book: Some(BookFolder::InProject("my \"law\"/${x}`".to_owned())),
        allow_undecided: true,
    };
    let hook = crate::find_hook("opencode").unwrap();
    let written = Options::new(hook, &[Event::AgentStop, Event::Stop], &command);
    // The harness has no event for a sub-agent that stops.
    assert_eq!(written.events, ["stop"]);
    let text = written.text().unwrap();
    assert!(is_ours(&text));
    assert_eq!(options(&text), Some(written));
    assert_eq!(options(&plain().text().unwrap()), Some(plain()));
}

#[test]
fn an_edited_plugin_is_not_taken_for_ours() {
    let written = plain().text().unwrap();
    for edited in
        [written.replace("code !== 0", "false"), format!("{written}// mine\n"), String::new()]
    {
        assert_eq!(options(&edited), None);
    }
    let smuggled = written.replacen("\"arguments\":[]}", "\"arguments\":[]}, x = steal()", 1);
    assert_ne!(smuggled, written);
    assert_eq!(options(&smuggled), None);
}

#[test]
fn the_plugin_has_every_event_of_the_table() {
    let hook = crate::find_hook("opencode").unwrap();
    for row in hook.events {
        assert!(TEMPLATE.contains(&format!("\"{}\"", row.name)), "{}", row.name);
        assert!(TEMPLATE.contains(&format!("\"{}\"", row.event.name())), "{}", row.event.name());
    }
    assert_eq!(TEMPLATE.matches(OPTIONS).count(), 1);
}
