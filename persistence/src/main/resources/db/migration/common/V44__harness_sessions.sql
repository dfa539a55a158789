-- Sessions of the harness. truncation_json holds an object or "off"; last_entry never goes back.
create table harness_sessions (
    session_id varchar(64) not null,
    owner_id varchar(160) not null,
    host_id varchar(64) not null,
    cwd varchar(4096) not null,
    truncation_json varchar(1024) not null,
    budget_millis bigint not null,
    kernel_transport varchar(160),
    parent_id varchar(64),
    workspace varchar(16) not null,
    grant_ref varchar(160),
    head_entry_id varchar(64),
    last_entry bigint not null,
    state varchar(16) not null,
    outcome ${text},
    hand_back_json ${text},
    created_at timestamp(6) with time zone not null,
    updated_at timestamp(6) with time zone not null,
    version bigint not null,
    constraint harness_sessions_pk primary key (session_id),
    constraint harness_sessions_outcome check (state = 'ended' or outcome is null)
);
-- No index holds a column that changes: what an entry or an end writes is the row alone.
create index harness_sessions_newest on harness_sessions (created_at desc, session_id);
create index harness_sessions_of_owner on harness_sessions (owner_id, created_at desc, session_id);
create index harness_sessions_of_parent on harness_sessions (parent_id);

-- Only appended to. A fork copies rows with their ids, so that an id is unique within its session.
create table harness_entries (
    session_id varchar(64) not null,
    sequence bigint not null,
    entry_id varchar(64) not null,
    parent_id varchar(64),
    kind varchar(160) not null,
    body_json ${text} not null,
    created_at timestamp(6) with time zone not null,
    constraint harness_entries_pk primary key (session_id, sequence),
    constraint harness_entries_id unique (session_id, entry_id),
    constraint harness_entries_of_session foreign key (session_id) references harness_sessions (session_id)
);

-- The state tree: what is committed now. after_entry is the last entry committed before what the document tells of.
create table harness_documents (
    session_id varchar(64) not null,
    document_type varchar(160) not null,
    document_key varchar(160) not null,
    body_json ${text} not null,
    after_entry bigint not null,
    created_at timestamp(6) with time zone not null,
    constraint harness_documents_pk primary key (session_id, document_type, document_key),
    constraint harness_documents_of_session foreign key (session_id) references harness_sessions (session_id)
);

-- Only appended to: one row for the start of a tool call and one for its settle.
create table harness_calls (
    session_id varchar(64) not null,
    call_id varchar(160) not null,
    step varchar(16) not null,
    body_json ${text} not null,
    created_at timestamp(6) with time zone not null,
    constraint harness_calls_pk primary key (session_id, call_id, step),
    constraint harness_calls_of_session foreign key (session_id) references harness_sessions (session_id)
);
