-- States and traces are stored as what changed, and every entry has checksums.
--
-- In `events`, `changes` and `snapshot`, a TEXT is the whole text and a BLOB is a delta. The base of
-- `snapshot` is the state of the entry with the version `base` of the same session, which is on the
-- way from the start to this entry; `depth` counts the entries since the last whole state. The base
-- of `events` and `changes` is `input` followed by the state.
CREATE TABLE entry_2 (
    id         INTEGER PRIMARY KEY,
    session    INTEGER NOT NULL REFERENCES session (id),
    version    INTEGER NOT NULL,
    parent     INTEGER,
    turn       INTEGER NOT NULL,
    branch     INTEGER NOT NULL,
    abandoned  INTEGER,
    format     INTEGER NOT NULL,
    book       INTEGER NOT NULL REFERENCES book (id),
    key        TEXT,
    base       INTEGER,
    depth      INTEGER NOT NULL,
    state_sum  INTEGER NOT NULL,
    record_sum INTEGER NOT NULL,
    input      TEXT NOT NULL,
    events     ANY NOT NULL,
    changes    ANY NOT NULL,
    result     TEXT NOT NULL,
    snapshot   ANY NOT NULL
) STRICT;

-- The checksums of what is already there are computed after this.
INSERT INTO entry_2
SELECT id, session, version, parent, turn, branch, abandoned, format, book, key,
       NULL, 0, 0, 0, input, events, changes, result, snapshot
FROM entry;

DROP TABLE entry;
ALTER TABLE entry_2 RENAME TO entry;
CREATE UNIQUE INDEX entry_version ON entry (session, version);
CREATE UNIQUE INDEX entry_key ON entry (session, key) WHERE key IS NOT NULL;
-- A book is deleted with the last session that has it.
CREATE INDEX entry_book ON entry (book);
