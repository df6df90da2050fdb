use super::*;
use crate::Constants;

/// Numbers on both sides of every bound of a place, and a constant that is not a number.
fn constants() -> Vec<u32> {
    let mut constants = Constants::default();
    let numbers = [0, 1, 2, 63, 64, 65, 1023, 1024, 1025, 65_535, 65_536, -1, i64::MAX];
    let mut all: Vec<u32> = numbers.iter().map(|number| constants.number(*number).0).collect();
    all.push(constants.symbol("a").0);
    all
}

/// Every row that is added is found, and nothing else, before and after the table is cleared.
fn check(rows: &[Vec<u32>], indexes: &[&[u8]]) {
    let arity = rows[0].len();
    let columns: Vec<Box<[u8]>> = indexes.iter().map(|columns| (*columns).into()).collect();
    let mut table = Table::new(arity, 0, &columns, seed());
    for _ in 0..2 {
        for (at, row) in (0..).zip(rows) {
            assert_eq!(table.find(row), None, "{row:?}");
            assert!(table.insert(row, GIVEN, at), "{row:?}");
            assert!(!table.insert(row, GIVEN, at), "{row:?}");
        }
        for (at, row) in (0..).zip(rows) {
            assert_eq!(table.find(row), Some(at), "{row:?}");
        }
        for (index, columns) in columns.iter().enumerate() {
            let key = |row: &Vec<u32>| -> Vec<u32> {
                columns.iter().map(|column| row[usize::from(*column)]).collect()
            };
            for row in rows {
                let alike = (0..).zip(rows).filter(|(_, other)| key(other) == key(row));
                let mut expected: Vec<u32> = alike.map(|(at, _)| at).collect();
                expected.reverse();
                let mut found = vec![table.newest(index, &key(row))];
                while let Some(last) = found.last().filter(|last| **last != NO_ROW) {
                    found.push(table.older(index, *last));
                }
                found.pop();
                assert_eq!(found, expected, "{row:?} by {columns:?}");
            }
        }
        table.clear();
        for (index, columns) in columns.iter().enumerate() {
            let key: Vec<u32> =
                columns.iter().map(|column| rows[0][usize::from(*column)]).collect();
            assert_eq!(table.newest(index, &key), NO_ROW);
        }
    }
}

#[test]
fn rows_of_one_column_are_told_apart() {
    let rows: Vec<Vec<u32>> = constants().into_iter().map(|value| vec![value]).collect();
    check(&rows, &[&[0]]);
}

#[test]
fn rows_of_two_columns_are_told_apart() {
    let all = constants();
    let pairs = all.iter().flat_map(|one| all.iter().map(|other| vec![*one, *other]));
    check(&pairs.collect::<Vec<_>>(), &[&[0], &[1], &[0, 1], &[1, 0]]);
}

#[test]
fn rows_of_three_columns_are_told_apart() {
    let all = constants();
    let rows = all.iter().flat_map(|one| all.iter().map(|other| vec![*one, *other, *one]));
    check(&rows.collect::<Vec<_>>(), &[&[0], &[1, 2], &[0, 1, 2]]);
}
