-- Times are UTC with microseconds. Enumerated values are the names of the wire.
create table hosts (
    host_id varchar(64) not null,
    instance varchar(160) not null,
    created_at timestamp(6) with time zone not null,
    constraint hosts_pk primary key (host_id),
    constraint hosts_instance unique (instance)
);

-- attempt_id is the caller's choice and unique over all owners, since it names the attempt in every address.
create table attempts (
    attempt_id varchar(160) not null,
    action_id varchar(160) not null,
    owner_id varchar(160) not null,
    owner_incarnation bigint not null,
    idempotency_key varchar(160) not null,
    request_digest varchar(64) not null,
    request_json ${text} not null,
    attempt_key varchar(64) not null,
    nonce varchar(64) not null,
    host_id varchar(64) not null,
    policy_ref varchar(160) not null,
    executable_path varchar(4096) not null,
    session_ref varchar(160),
    session_key varchar(64),
    session_holder varchar(64),
    resources_json ${text} not null,
    execution_state varchar(16) not null,
    cleanup_state varchar(16) not null,
    capability varchar(32) not null,
    required_cleanup varchar(32) not null,
    exit_observation varchar(32) not null,
    runner_id varchar(160),
    child_pid bigint,
    child_group bigint,
    child_start_ticks bigint,
    child_boot_id varchar(64),
    tree_init_pid bigint,
    tree_init_start_ticks bigint,
    tree_inner_pid bigint,
    tree_inner_start_ticks bigint,
    exit_kind varchar(16),
    exit_code integer,
    exit_signal integer,
    exit_reason varchar(400),
    exit_source varchar(16),
    stop_requested varchar(16),
    attachment_generation bigint not null,
    recorded_events bigint not null,
    evidence_count bigint not null,
    created_at timestamp(6) with time zone not null,
    updated_at timestamp(6) with time zone not null,
    last_swept_at timestamp(6) with time zone,
    version bigint not null,
    constraint attempts_pk primary key (attempt_id),
    constraint attempts_idempotency unique (owner_id, idempotency_key),
    constraint attempts_attempt_key unique (attempt_key),
    constraint attempts_session_holder unique (session_holder),
    constraint attempts_exit_one_of check (exit_code is null or exit_signal is null),
    constraint attempts_exit_proven check (execution_state <> 'exited' or exit_source is not null)
);
create index attempts_of_owner on attempts (owner_id, created_at desc, attempt_id);
create index attempts_newest on attempts (created_at desc, attempt_id);

create table evidence (
    attempt_id varchar(160) not null,
    sequence bigint not null,
    observed_at timestamp(6) with time zone not null,
    kind varchar(64) not null,
    detail ${text} not null,
    constraint evidence_pk primary key (attempt_id, sequence),
    constraint evidence_of_attempt foreign key (attempt_id) references attempts (attempt_id)
);

create table resource_grants (
    grant_ref varchar(160) not null,
    subject varchar(160) not null,
    root varchar(4096) not null,
    subpath varchar(4096) not null,
    access varchar(16) not null,
    purpose varchar(16) not null,
    attempt_id varchar(160),
    issued_by varchar(160) not null,
    issued_at timestamp(6) with time zone not null,
    expires_at timestamp(6) with time zone,
    revoked_at timestamp(6) with time zone,
    constraint resource_grants_pk primary key (grant_ref)
);
create index resource_grants_of_subject on resource_grants (subject, issued_at desc, grant_ref);

-- Only the hash of a token's secret is kept.
create table api_tokens (
    token_id varchar(32) not null,
    secret_hash varchar(64) not null,
    owner_id varchar(160) not null,
    roles varchar(160) not null,
    name varchar(160) not null,
    created_at timestamp(6) with time zone not null,
    expires_at timestamp(6) with time zone,
    revoked_at timestamp(6) with time zone,
    constraint api_tokens_pk primary key (token_id),
    constraint api_tokens_secret_hash unique (secret_hash)
);
create index api_tokens_of_owner on api_tokens (owner_id, created_at desc, token_id);
