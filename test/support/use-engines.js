// Suites that ask for a database get one in the container, not one of the embedded server.
process.env.TEST_DATABASE_URL = process.env.TEST_POSTGRES_URL;
