-- What a driver rendered for a launch; no secret is in it.
create table attempt_deliveries (
    attempt_id varchar(160) not null,
    delivery_json ${text} not null,
    digest varchar(64) not null,
    constraint attempt_deliveries_pk primary key (attempt_id),
    constraint attempt_deliveries_of_attempt foreign key (attempt_id) references attempts (attempt_id)
);

-- The recorded plan of each preparer of a launch, in their order. Outstanding until its phase is cleaned.
create table preparer_states (
    attempt_id varchar(160) not null,
    position integer not null,
    preparer varchar(160) not null,
    binding varchar(160) not null,
    state_json ${text} not null,
    phase varchar(16) not null,
    reason varchar(400),
    updated_at timestamp(6) with time zone not null,
    constraint preparer_states_pk primary key (attempt_id, position),
    constraint preparer_states_of_attempt foreign key (attempt_id) references attempts (attempt_id)
);
create index preparer_states_outstanding on preparer_states (phase, updated_at);
