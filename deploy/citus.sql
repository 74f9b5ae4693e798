-- Queenline on several PostgreSQL nodes, by Citus 12 or newer: psql --single-transaction -f deploy/citus.sql, once, on the
-- coordinator, after `queenline db upgrade` and before the service is started.
--
-- NOT RUN on Citus: no Citus server was at hand. What was run: all statements below on a plain PostgreSQL with our schema, its two
-- functions being stubs (tests/test_citus.py), which also looks at the rules that Citus has: each unique constraint of a
-- distributed table holds its distribution column, each foreign key is one of those that Citus can hold. What a game sends is
-- captured and looked at by tests/test_statements.py. docs/sizing.md says what will not run there as it is, and why each table
-- is where it is.

-- What is per player and per seat: small, on every node, so that looking up who sits where asks one node.
-- A reference table cannot refer to a distributed one.
ALTER TABLE seat DROP CONSTRAINT fk_seat_table_id;
SELECT create_reference_table('player');
SELECT create_reference_table('seat');
SELECT create_reference_table('preset');
SELECT create_reference_table('opt_out');
SELECT create_reference_table('breaker');
SELECT create_reference_table('web_request');
SELECT create_reference_table('admin_act');

-- Games, by the table's id. Citus keeps no key unique over all nodes but the distribution column: that no code is used twice is
-- left to `service.tables.new_code`, which looks before it takes one at random.
ALTER TABLE game_table DROP CONSTRAINT fk_game_table_rematch_id;
ALTER TABLE move DROP CONSTRAINT fk_move_table_id;
ALTER TABLE nudge DROP CONSTRAINT fk_nudge_table_id;
ALTER TABLE round_result DROP CONSTRAINT fk_round_result_table_id;
ALTER TABLE game_table DROP CONSTRAINT uq_game_table_code;
CREATE INDEX ix_game_table_code ON game_table (code);
ALTER TABLE move DROP CONSTRAINT pk_move, ADD CONSTRAINT pk_move PRIMARY KEY (table_id, id);
ALTER TABLE nudge DROP CONSTRAINT pk_nudge, ADD CONSTRAINT pk_nudge PRIMARY KEY (table_id, id);
ALTER TABLE round_result DROP CONSTRAINT pk_round_result, ADD CONSTRAINT pk_round_result PRIMARY KEY (table_id, id);
SELECT create_distributed_table('game_table', 'id');
SELECT create_distributed_table('move', 'table_id', colocate_with => 'game_table');
SELECT create_distributed_table('nudge', 'table_id', colocate_with => 'game_table');
SELECT create_distributed_table('round_result', 'table_id', colocate_with => 'game_table');
ALTER TABLE move ADD CONSTRAINT fk_move_table_id FOREIGN KEY (table_id) REFERENCES game_table (id);
ALTER TABLE nudge ADD CONSTRAINT fk_nudge_table_id FOREIGN KEY (table_id) REFERENCES game_table (id);
ALTER TABLE round_result ADD CONSTRAINT fk_round_result_table_id FOREIGN KEY (table_id) REFERENCES game_table (id);

-- Texts to people, by whom they go to: they go out one after the other in a player's order, and some belong to no table.
UPDATE outbound_event SET player_id = outbound.player_id FROM outbound
WHERE outbound.id = outbound_event.outbound_id AND outbound_event.player_id IS NULL;
ALTER TABLE outbound_event DROP CONSTRAINT fk_outbound_event_outbound_id;
ALTER TABLE outbound_event DROP CONSTRAINT uq_outbound_event_outbound_id_status_error_code;
ALTER TABLE outbound_event DROP CONSTRAINT pk_outbound_event, ADD CONSTRAINT pk_outbound_event PRIMARY KEY (player_id, id);
ALTER TABLE outbound_event ADD CONSTRAINT uq_outbound_event_outbound_id_status_error_code
UNIQUE (player_id, outbound_id, status, error_code);
ALTER TABLE outbound DROP CONSTRAINT uq_outbound_sid;
CREATE INDEX ix_outbound_sid ON outbound (sid);
ALTER TABLE outbound DROP CONSTRAINT pk_outbound, ADD CONSTRAINT pk_outbound PRIMARY KEY (player_id, id);
SELECT create_distributed_table('outbound', 'player_id');
SELECT create_distributed_table('outbound_event', 'player_id', colocate_with => 'outbound');

-- Texts from people, by the carrier's id: it is what claims a text, so it has to be unique, and it is known before anything else.
ALTER TABLE inbound DROP CONSTRAINT pk_inbound, ADD CONSTRAINT pk_inbound PRIMARY KEY (message_sid, id);
SELECT create_distributed_table('inbound', 'message_sid');

-- What is counted, by whom it counts for.
ALTER TABLE tally DROP CONSTRAINT pk_tally, ADD CONSTRAINT pk_tally PRIMARY KEY (scope, id);
SELECT create_distributed_table('tally', 'scope');
