-- What is kept of a rig at one moment, by reference; it goes with its rig.
create table rig_snapshots (
    snapshot_id varchar(64) not null,
    rig_id varchar(64) not null,
    rig_name varchar(63) not null,
    kind varchar(16) not null,
    data_json ${text} not null,
    created_by varchar(320) not null,
    created_at timestamp(6) with time zone not null,
    constraint rig_snapshots_pk primary key (snapshot_id),
    constraint rig_snapshots_of_rig foreign key (rig_id) references rigs (rig_id) on delete cascade
);
create index rig_snapshots_newest on rig_snapshots (rig_id, created_at desc, snapshot_id);

-- The checkpoints that a snapshot refers to.
create table rig_snapshot_checkpoints (
    snapshot_id varchar(64) not null,
    checkpoint_id varchar(160) not null,
    constraint rig_snapshot_checkpoints_pk primary key (snapshot_id, checkpoint_id),
    constraint rig_snapshot_checkpoints_of_snapshot foreign key (snapshot_id)
        references rig_snapshots (snapshot_id) on delete cascade
);
create index rig_snapshot_checkpoints_used on rig_snapshot_checkpoints (checkpoint_id);
