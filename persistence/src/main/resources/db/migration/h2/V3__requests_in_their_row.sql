-- A longer text is an object of its own, which H2 copies and removes at every update of its row. Requests and details of
-- that size are rare; the ones stored before stay where they are until their row is written again.
set max_length_inplace_lob 16384;
