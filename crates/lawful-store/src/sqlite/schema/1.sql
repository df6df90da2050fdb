-- The texts of lawbooks, each once.
CREATE TABLE book (
    id   INTEGER PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    text TEXT NOT NULL
) STRICT;

-- Where each session stands. `head` is the version of the entry that is the present.
CREATE TABLE session (
    id      INTEGER PRIMARY KEY,
    format  INTEGER NOT NULL,
    name    TEXT NOT NULL UNIQUE,
    version INTEGER NOT NULL,
    head    INTEGER NOT NULL,
    branch  INTEGER NOT NULL
) STRICT;

-- The log: the start of a session and every step of it, with the state after each. Rows are appended;
-- only `abandoned` ever changes. The small columns stand before the large ones, so that reading them
-- does not touch the pages of the texts.
CREATE TABLE entry (
    id        INTEGER PRIMARY KEY,
    session   INTEGER NOT NULL REFERENCES session (id),
    version   INTEGER NOT NULL,
    parent    INTEGER,
    turn      INTEGER NOT NULL,
    branch    INTEGER NOT NULL,
    abandoned INTEGER,
    format    INTEGER NOT NULL,
    book      INTEGER NOT NULL REFERENCES book (id),
    key       TEXT,
    input     TEXT NOT NULL,
    events    TEXT NOT NULL,
    changes   TEXT NOT NULL,
    result    TEXT NOT NULL,
    snapshot  TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX entry_version ON entry (session, version);
-- A request is applied once, whatever became of its turn.
CREATE UNIQUE INDEX entry_key ON entry (session, key) WHERE key IS NOT NULL;

-- The outbox. `status`: 0 pending, 1 acknowledged, 2 withdrawn, 3 repeated.
CREATE TABLE effect (
    id       INTEGER PRIMARY KEY,
    session  INTEGER NOT NULL REFERENCES session (id),
    entry    INTEGER NOT NULL REFERENCES entry (id),
    position INTEGER NOT NULL,
    stem     TEXT NOT NULL,
    number   INTEGER NOT NULL,
    status   INTEGER NOT NULL CHECK (status BETWEEN 0 AND 3),
    body     TEXT NOT NULL
) STRICT;
CREATE INDEX effect_entry ON effect (entry, position);
-- An id is handed out for one effect; a repetition points at the one that was delivered.
CREATE UNIQUE INDEX effect_id ON effect (session, stem, number) WHERE status <> 3;
CREATE INDEX effect_pending ON effect (session) WHERE status = 0;
