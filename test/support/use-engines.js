// Suites that ask for a database or a service get one on the containers of this run.
const { env } = process;
env.TEST_DATABASE_URL = env.TEST_POSTGRES_URL;
env.TEST_ENGINES = 'containers';
env.AWS_ACCESS_KEY_ID = env.TEST_S3_ACCESS_KEY_ID;
env.AWS_SECRET_ACCESS_KEY = env.TEST_S3_SECRET_ACCESS_KEY;
