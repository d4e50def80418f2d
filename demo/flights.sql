-- Two Glue accounts in one Spark session, on the flights that left New York in 2013.
--
-- demo/run executes this file from top to bottom and prints each statement with its result. Lines that start with `!`
-- are not SQL: they ask Glue itself, through boto3, as another tool would. `-- expect:` is what the first row of the
-- next result must begin with, `-- expect rows:` how many rows it must have; anything else fails the demo.

-- # Account A: the flights, as Parquet

CREATE DATABASE acct_a.nyc COMMENT 'departures from JFK, LGA and EWR in 2013';

CREATE TABLE acct_a.nyc.flights
USING parquet
PARTITIONED BY (month, day)
AS SELECT year, dep_time, sched_dep_time, dep_delay, arr_time, sched_arr_time, arr_delay, carrier, flight, tailnum,
          origin, dest, air_time, distance, hour, minute, time_hour, month, day
FROM csv_flights;

-- expect: 336776
SELECT count(*) AS flights FROM acct_a.nyc.flights;

-- Every day is a partition that Glue knows.
-- expect: 365
!partitions acct_a.nyc.flights

-- A filter on the partition columns reaches Glue: one partition comes back, not 365.
-- expect: 719
SELECT count(*) AS flights_on_christmas_day FROM acct_a.nyc.flights WHERE month = 12 AND day = 25;

-- # Account A: the same flights, as Delta

CREATE TABLE acct_a.nyc.flights_delta USING delta AS SELECT * FROM acct_a.nyc.flights;

-- 8,255 flights never took off.
-- expect: 8255
DELETE FROM acct_a.nyc.flights_delta WHERE dep_time IS NULL;

-- expect: 336776 | 328521
SELECT (SELECT count(*) FROM acct_a.nyc.flights_delta VERSION AS OF 0) AS before,
       (SELECT count(*) FROM acct_a.nyc.flights_delta) AS now;

-- expect rows: 2
DESCRIBE HISTORY acct_a.nyc.flights_delta;

-- # Account B: the dimensions, as Delta

CREATE DATABASE acct_b.dims;

CREATE TABLE acct_b.dims.airlines USING delta AS SELECT * FROM csv_airlines;
CREATE TABLE acct_b.dims.airports USING delta AS SELECT * FROM csv_airports;
CREATE TABLE acct_b.dims.planes   USING delta AS SELECT * FROM csv_planes;
CREATE TABLE acct_b.dims.weather  USING delta AS SELECT * FROM csv_weather;

-- expect: 16 | 1458 | 3322 | 26115
SELECT (SELECT count(*) FROM acct_b.dims.airlines) AS airlines,
       (SELECT count(*) FROM acct_b.dims.airports) AS airports,
       (SELECT count(*) FROM acct_b.dims.planes)   AS planes,
       (SELECT count(*) FROM acct_b.dims.weather)  AS weather;

-- Each account holds its own tables and nothing of the other's.
-- expect rows: 2
SHOW TABLES IN acct_a.nyc;
-- expect rows: 4
SHOW TABLES IN acct_b.dims;

-- # A question over both accounts: how late did each airline arrive in June?

-- expect: SkyWest Airlines Inc. | 2 | 68.5
-- expect rows: 16
SELECT a.name AS airline, count(*) AS flights, round(avg(f.arr_delay), 1) AS average_delay_in_minutes
FROM acct_a.nyc.flights f JOIN acct_b.dims.airlines a USING (carrier)
WHERE f.month = 6
GROUP BY a.name
ORDER BY average_delay_in_minutes DESC;

-- # From A to B: a summary in the other account

CREATE TABLE acct_b.dims.delay_by_month
USING delta
AS SELECT month, carrier, count(*) AS flights, round(avg(arr_delay), 1) AS average_delay
FROM acct_a.nyc.flights
GROUP BY month, carrier;

-- expect: 336776
SELECT sum(flights) AS flights FROM acct_b.dims.delay_by_month;

-- # MERGE and time travel: US Airways became part of American Airlines

MERGE INTO acct_b.dims.airlines t
USING (SELECT * FROM VALUES ('US', 'American Airlines (was US Airways)'), ('NK', 'Spirit Airlines') AS v(carrier, name)) s
ON t.carrier = s.carrier
WHEN MATCHED THEN UPDATE SET name = s.name
WHEN NOT MATCHED THEN INSERT *;

-- expect: NK | null | Spirit Airlines
-- expect rows: 2
SELECT n.carrier, o.name AS name_before, n.name AS name_now
FROM acct_b.dims.airlines n LEFT JOIN acct_b.dims.airlines VERSION AS OF 0 o USING (carrier)
WHERE o.name IS NULL OR o.name <> n.name
ORDER BY n.carrier;

-- # A schema change, seen from outside

-- expect: carrier string, name string
!columns acct_b.dims.airlines

ALTER TABLE acct_b.dims.airlines ADD COLUMN merged_into STRING COMMENT 'carrier code of the successor';

-- expect: carrier string, name string, merged_into string
!columns acct_b.dims.airlines

UPDATE acct_b.dims.airlines SET merged_into = 'AA' WHERE carrier = 'US';

-- expect: US | American Airlines (was US Airways) | AA
SELECT carrier, name, merged_into FROM acct_b.dims.airlines WHERE merged_into IS NOT NULL;

-- # The same entries through boto3

-- expect rows: 2
!tables acct_a.nyc
-- expect rows: 5
!tables acct_b.dims
