-- The ids of operations whose retention is over: they stay used.
create table environment_spent_operations (
    operation_id varchar(160) not null,
    binding_id varchar(160) not null,
    kind varchar(32) not null,
    spent_at timestamp(6) with time zone not null,
    constraint environment_spent_operations_pk primary key (operation_id)
);
