-- A longer text is an object of its own, which H2 copies and removes at every update of its row. Requests and details of
-- that size are rare; the ones stored before stay where they are until their row is written again.
set max_length_inplace_lob 16384;
-- H2 takes no more than its first column for "not exited or not complete", which attempts_sweep has too; and every step of
-- an attempt had to write it.
drop index attempts_unfinished;
