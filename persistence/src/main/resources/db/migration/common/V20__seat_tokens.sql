-- The one seat, member@rig, that a token of role seat names.
alter table api_tokens add column seat varchar(320);
