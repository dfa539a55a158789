-- Rigs, their nodes, and the tenures of each node's occupants.
create table rigs (
    rig_id varchar(64) not null,
    name varchar(63) not null,
    root varchar(4096) not null,
    spec_json ${text} not null,
    spec_digest varchar(64) not null,
    created_by varchar(160) not null,
    created_at timestamp(6) with time zone not null,
    constraint rigs_pk primary key (rig_id),
    constraint rigs_name unique (name)
);

create table rig_nodes (
    node_id varchar(64) not null,
    rig_id varchar(64) not null,
    position integer not null,
    rig_name varchar(63) not null,
    member_id varchar(160) not null,
    seat varchar(320) not null,
    agent_ref varchar(1024) not null,
    runtime varchar(64) not null,
    profile varchar(63) not null,
    cwd varchar(4096) not null,
    constraint rig_nodes_pk primary key (node_id),
    constraint rig_nodes_seat unique (seat),
    constraint rig_nodes_of_rig foreign key (rig_id) references rigs (rig_id)
);
create index rig_nodes_in_order on rig_nodes (rig_id, position);

-- A generation is one launch of a node: pending, current or stale.
create table occupants (
    node_id varchar(64) not null,
    generation varchar(160) not null,
    state varchar(16) not null,
    session_id varchar(160),
    native_type varchar(160),
    native_id varchar(160),
    reserved_at timestamp(6) with time zone not null,
    registered_at timestamp(6) with time zone,
    replaced_at timestamp(6) with time zone,
    constraint occupants_pk primary key (node_id, generation),
    constraint occupants_of_node foreign key (node_id) references rig_nodes (node_id)
);

create table work_items (
    qitem_id varchar(160) not null,
    source_session varchar(320) not null,
    destination_session varchar(320) not null,
    body varchar(65536) not null,
    priority varchar(16) not null,
    tags varchar(4096) not null,
    nudge boolean not null,
    state varchar(16) not null,
    closure_reason varchar(32),
    closure_target varchar(320),
    claimed_by varchar(320),
    handed_off_from varchar(160),
    created_at timestamp(6) with time zone not null,
    updated_at timestamp(6) with time zone not null,
    closed_at timestamp(6) with time zone,
    transition_count integer not null,
    constraint work_items_pk primary key (qitem_id)
);
create index work_items_newest on work_items (created_at desc, qitem_id);
create index work_items_of_destination on work_items (destination_session, created_at desc, qitem_id);
create index work_items_of_source on work_items (source_session, created_at desc, qitem_id);

-- Only appended to. from_state is null for the creation; a note leaves the state as it was.
create table work_transitions (
    qitem_id varchar(160) not null,
    sequence integer not null,
    action varchar(16) not null,
    from_state varchar(16),
    to_state varchar(16) not null,
    actor_session varchar(320) not null,
    identity_provenance varchar(32) not null,
    identity_principal varchar(1024),
    closure_reason varchar(32),
    closure_target varchar(320),
    transition_note varchar(65536),
    at timestamp(6) with time zone not null,
    constraint work_transitions_pk primary key (qitem_id, sequence),
    constraint work_transitions_of_item foreign key (qitem_id) references work_items (qitem_id)
);

-- The outbox of what happened, in the order in which clients see it. rigs: names between commas, who may see it.
create table events (
    event_id bigint not null,
    type varchar(64) not null,
    rigs varchar(1024) not null,
    payload varchar(65536) not null,
    occurred_at timestamp(6) with time zone not null,
    constraint events_pk primary key (event_id)
);
