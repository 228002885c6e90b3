-- The role and the database of the programs, in a new cluster.
\getenv password X12_PASSWORD
CREATE ROLE x12 LOGIN PASSWORD :'password';
CREATE DATABASE x12 OWNER x12;
-- A restoration loads rows without their triggers and foreign keys.
GRANT SET ON PARAMETER session_replication_role TO x12;
