use rusqlite::Connection;

use super::*;

/// A fictional next version, which adds a title to every session.
const TITLES: Step = sql("ALTER TABLE session ADD COLUMN title TEXT NOT NULL DEFAULT 'untitled'");

const fn sql(sql: &'static str) -> Step {
    Step { sql, then: None }
}

fn session(connection: &Connection) {
    let sql = "INSERT INTO session (format, name, version, head, branch) VALUES (1, 'a', 7, 5, 1)";
    connection.execute(sql, []).unwrap();
}

fn titles(connection: &Connection) -> Vec<(String, i64, String)> {
    let mut rows = connection.prepare("SELECT name, version, title FROM session").unwrap();
    let rows = rows.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).unwrap();
    rows.map(Result::unwrap).collect()
}

#[test]
fn an_empty_file_is_brought_to_the_current_version() {
    let connection = Connection::open_in_memory().unwrap();
    assert_eq!(look(&connection).unwrap(), Found::Empty);
    migrate(&connection, STEPS).unwrap();
    assert_eq!(look(&connection).unwrap(), Found::Version(2));
}

#[test]
fn an_older_file_is_brought_up_to_date_and_keeps_what_it_has() {
    let connection = Connection::open_in_memory().unwrap();
    migrate(&connection, &STEPS[..1]).unwrap();
    session(&connection);
    migrate(&connection, &[STEPS[0], TITLES]).unwrap();
    assert_eq!(look(&connection).unwrap(), Found::Version(2));
    assert_eq!(titles(&connection), [("a".to_owned(), 7, "untitled".to_owned())]);
    // A second time, nothing happens.
    migrate(&connection, &[STEPS[0], TITLES]).unwrap();
    assert_eq!(look(&connection).unwrap(), Found::Version(2));
}

#[test]
fn an_old_layout_is_carried_over_row_by_row() {
    // What a store without branches might have looked like.
    let first =
        sql("CREATE TABLE story (name TEXT, state TEXT); INSERT INTO story VALUES ('a', '{}')");
    let second = sql("ALTER TABLE story RENAME TO old; \
                  CREATE TABLE story (name TEXT NOT NULL, state TEXT NOT NULL, branch INTEGER); \
                  INSERT INTO story SELECT name, state, 0 FROM old; DROP TABLE old");
    let connection = Connection::open_in_memory().unwrap();
    migrate(&connection, &[first]).unwrap();
    migrate(&connection, &[first, second]).unwrap();
    let row: (String, String, i64) = connection
        .query_row("SELECT name, state, branch FROM story", [], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?))
        })
        .unwrap();
    assert_eq!(row, ("a".to_owned(), "{}".to_owned(), 0));
}

#[test]
fn a_step_that_fails_leaves_the_file_at_its_version() {
    let connection = Connection::open_in_memory().unwrap();
    migrate(&connection, STEPS).unwrap();
    session(&connection);
    let broken = sql("ALTER TABLE session ADD COLUMN title TEXT; INSERT INTO nowhere VALUES (1)");
    assert!(migrate(&connection, &[STEPS[0], STEPS[1], broken]).is_err());
    assert!(connection.is_autocommit());
    assert_eq!(look(&connection).unwrap(), Found::Version(2));
    assert!(connection.prepare("SELECT title FROM session").is_err());
}

#[test]
fn a_database_of_something_else_is_foreign() {
    let connection = Connection::open_in_memory().unwrap();
    connection.execute_batch("CREATE TABLE recipe (name TEXT)").unwrap();
    assert_eq!(look(&connection).unwrap(), Found::Foreign);
    let connection = Connection::open_in_memory().unwrap();
    connection.pragma_update(None, "application_id", 42).unwrap();
    assert_eq!(look(&connection).unwrap(), Found::Foreign);
}

#[test]
fn a_file_that_another_connection_is_making_is_never_foreign() {
    let folder = std::env::temp_dir().join(format!("lawful-schema-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let mut seen = [0, 0];
    for round in 0..200 {
        let file = folder.join(format!("{round}.db"));
        let connect = || {
            let connection = Connection::open(&file).unwrap();
            connection.busy_timeout(std::time::Duration::from_secs(5)).unwrap();
            connection.pragma_update(None, "synchronous", "OFF").unwrap();
            connection
        };
        let (maker, looker) = (connect(), connect());
        std::thread::scope(|scope| {
            scope.spawn(move || migrate(&maker, STEPS).unwrap());
            loop {
                match look(&looker).unwrap() {
                    Found::Empty => seen[0] += 1,
                    Found::Version(2) => break seen[1] += 1,
                    other @ (Found::Version(_) | Found::Foreign) => {
                        panic!("{other:?} in round {round}")
                    }
                }
            }
        });
    }
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(seen[0] > 0 && seen[1] == 200, "{seen:?}");
}
