-- Workspaces on their own, outside a session: a copy of a directory, and what its hand-back did.
create table harness_workspaces (
    workspace_id varchar(64) not null,
    owner_id varchar(160) not null,
    host_id varchar(64) not null,
    parent varchar(4096) not null,
    workspace_mode varchar(16) not null,
    state varchar(16) not null,
    directory varchar(4096),
    grant_ref varchar(160),
    hand_back_json ${text},
    created_at timestamp(6) with time zone not null,
    updated_at timestamp(6) with time zone not null,
    version bigint not null,
    constraint harness_workspaces_pk primary key (workspace_id),
    constraint harness_workspaces_ready check (state = 'preparing' or directory is not null),
    constraint harness_workspaces_report check (state = 'handed_back' or hand_back_json is null)
);
