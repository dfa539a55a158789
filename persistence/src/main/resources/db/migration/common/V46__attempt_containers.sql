-- The container of an attempt whose placement is an engine's: intended before it is created, removed once proven absent.
create table attempt_containers (
    attempt_id varchar(160) not null,
    attempt_key varchar(32) not null,
    host_id varchar(64) not null,
    engine varchar(1024) not null,
    name varchar(64) not null,
    container_id varchar(64),
    image_id varchar(64),
    labels_json ${text} not null,
    phase varchar(16) not null,
    init_used boolean not null,
    kill_ordered boolean not null,
    created_at timestamp(6) with time zone not null,
    started_at varchar(40),
    constraint attempt_containers_pk primary key (attempt_id),
    constraint attempt_containers_key unique (attempt_key),
    constraint attempt_containers_of_attempt foreign key (attempt_id) references attempts (attempt_id)
        on delete cascade
);
create index attempt_containers_live on attempt_containers (host_id, phase);
