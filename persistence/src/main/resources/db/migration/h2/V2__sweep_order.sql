-- H2 has no partial index.
create index attempts_sweep on attempts (host_id, execution_state, last_swept_at nulls first, attempt_id);
create index attempts_unfinished on attempts (host_id, cleanup_state, execution_state);
