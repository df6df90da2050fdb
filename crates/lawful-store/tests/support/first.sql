-- A session in a file of the first schema version: two steps, going back, and a step again.
INSERT INTO book VALUES (1, '5ca1ab1e', '{"rules":[]}');
INSERT INTO session VALUES (1, 1, 's', 4, 4, 1);
INSERT INTO entry VALUES
    (1, 1, 0, NULL, 0, 0, NULL, 1, 1, NULL, 'null', 'null', 'null', 'null', '{"oil":5}'),
    (2, 1, 1, 0, 1, 0, 3, 1, 1, 'k1', '{"user":"hello"}', '[1]', '[2]', '{"diagnostics":[]}', '{"oil":4}'),
    (3, 1, 2, 1, 2, 0, 3, 1, 1, NULL, '{"user":"more"}', '[]', '[]', '{"diagnostics":[]}', '{"oil":3}'),
    (4, 1, 4, 0, 1, 1, NULL, 1, 1, NULL, '{"user":"other"}', '[]', '[]', '{"diagnostics":[]}', '{"oil":4}');
INSERT INTO effect VALUES
    (1, 1, 2, 0, '1.1', 1, 1, '"ding"'),
    (2, 1, 2, 1, '1.1', 2, 2, '"dong"'),
    (3, 1, 4, 0, '1.1', 1, 3, '"ding"'),
    (4, 1, 4, 1, '1.1', 3, 0, '"dong"');
