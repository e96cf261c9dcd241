-- Reads the time. Locks nothing.
select workhorse.clock() as at
