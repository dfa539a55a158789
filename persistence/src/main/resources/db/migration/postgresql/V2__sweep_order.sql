-- Partial, so that ended attempts cost the sweep nothing.
create index attempts_sweep on attempts (host_id, last_swept_at nulls first, attempt_id)
    where execution_state in ('starting', 'running', 'stopping', 'uncertain');
create index attempts_unfinished on attempts (host_id)
    where execution_state <> 'exited' or cleanup_state <> 'complete';
