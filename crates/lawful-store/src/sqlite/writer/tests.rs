use std::path::PathBuf;

use rusqlite::Connection;

use super::*;

/// Writes a number, then behaves as configured.
struct Write(i64, Then);

enum Then {
    Succeed,
    Fail,
    /// What the database does when a disk fails: the whole transaction is lost.
    LoseTheTransaction,
}

impl Change for Write {
    type Done = i64;

    fn apply(&self, connection: &Connection, _: &mut Recent) -> Result<i64, Fault> {
        connection.execute("INSERT INTO number VALUES (?1)", [self.0])?;
        match self.1 {
            Then::Succeed => Ok(self.0),
            Then::Fail => Err(Fault::Refused(Error::Closed)),
            Then::LoseTheTransaction => {
                connection.execute_batch("ROLLBACK")?;
                Err(Fault::Row("lost".to_owned()))
            }
        }
    }
}

/// Applies the changes as one group; compares the answers and the table.
fn check(changes: Vec<Write>, told: &str, written: &str) {
    let connection = Connection::open_in_memory().unwrap();
    connection.execute_batch("CREATE TABLE number (n INTEGER PRIMARY KEY)").unwrap();
    let writer = Writer::new(connection, PathBuf::from("test.db"), 64);
    let tickets = writer.submit(changes);
    let answers = tickets.into_iter().map(|ticket| match ticket.wait() {
        Ok(number) => number.to_string(),
        Err(error) => error.to_string(),
    });
    assert_eq!(answers.collect::<Vec<_>>().join("; "), told);
    writer.ask(|connection, _| {
        let mut rows = connection.prepare("SELECT n FROM number ORDER BY n").unwrap();
        let rows = rows.query_map([], |row| row.get::<_, i64>(0)).unwrap();
        let found: Vec<String> = rows.map(|n| n.unwrap().to_string()).collect();
        assert_eq!(found.join(" "), written);
        assert!(connection.is_autocommit());
    });
}

#[test]
fn a_group_is_written_together() {
    check(vec![Write(1, Then::Succeed), Write(2, Then::Succeed)], "1; 2", "1 2");
}

#[test]
fn a_change_that_fails_takes_nothing_with_it() {
    let changes = vec![Write(1, Then::Succeed), Write(2, Then::Fail), Write(3, Then::Succeed)];
    check(changes, "1; the store is closed; 3", "1 3");
}

#[test]
fn a_change_that_breaks_a_constraint_takes_nothing_with_it() {
    let changes = vec![Write(1, Then::Succeed), Write(1, Then::Succeed), Write(3, Then::Succeed)];
    let told = "1; `test.db` failed: UNIQUE constraint failed: number.n; 3";
    check(changes, told, "1 3");
}

#[test]
fn when_the_transaction_is_lost_the_others_are_made_again() {
    let lose = || Write(2, Then::LoseTheTransaction);
    let lost = "`test.db` is damaged: lost";
    check(
        vec![Write(1, Then::Succeed), lose(), Write(3, Then::Succeed)],
        &format!("1; {lost}; 3"),
        "1 3",
    );
    check(vec![lose()], lost, "");
}
