-- A name is reserved while held_name is there; both databases let nulls stand beside each other in a unique constraint.
create table environment_bindings (
    binding_id varchar(160) not null,
    incarnation varchar(36) not null,
    host_id varchar(64) not null,
    node_id varchar(160),
    seat varchar(320) not null,
    rig varchar(320) not null,
    ownership varchar(16) not null,
    driver varchar(16) not null,
    gateway varchar(255) not null,
    workspace varchar(255) not null,
    held_name varchar(32),
    resource_phase varchar(64),
    generation varchar(160),
    config_json ${text} not null,
    resource_json ${text},
    projection_json ${text},
    created_at timestamp(6) with time zone not null,
    updated_at timestamp(6) with time zone not null,
    constraint environment_bindings_pk primary key (binding_id),
    constraint environment_bindings_seat unique (seat),
    constraint environment_bindings_node unique (node_id),
    constraint environment_bindings_name unique (host_id, gateway, workspace, held_name)
);
create index environment_bindings_newest on environment_bindings (created_at desc, binding_id);

-- Operations outlive the binding that they were made under: their ids stay used, their receipts stay readable.
create table environment_operations (
    operation_id varchar(160) not null,
    binding_id varchar(160) not null,
    incarnation varchar(36) not null,
    ordinal bigint not null,
    kind varchar(32) not null,
    request_json ${text} not null,
    effect_id varchar(64),
    state varchar(16) not null,
    receipt_json ${text},
    requested_by varchar(320),
    refusal varchar(64),
    created_at timestamp(6) with time zone not null,
    updated_at timestamp(6) with time zone not null,
    constraint environment_operations_pk primary key (operation_id),
    constraint environment_operations_effect unique (effect_id),
    constraint environment_operations_order unique (incarnation, ordinal)
);
create index environment_operations_of_kind on environment_operations (kind, state);
