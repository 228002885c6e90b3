import { join } from 'node:path';

/** The first start of the gateway makes a cluster. */
const STARTUP_MS = 240_000;

/** PostgreSQL, Valkey and an S3 gateway in containers, for the whole run. */
export default async function startEngines() {
  // The reaper is an image of its own that needs the Docker socket; the teardown removes what was started here.
  process.env.TESTCONTAINERS_RYUK_DISABLED ??= 'true';
  const { GenericContainer, Wait } = await import('testcontainers');
  const credentials = { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test-secret' };
  const gateway = await buildGateway(GenericContainer);

  const [postgres, valkey, s3] = await Promise.all([
    new GenericContainer('postgres:17-trixie')
      .withEnvironment({ POSTGRES_PASSWORD: 'postgres' })
      .withCommand(['postgres', '-c', 'fsync=off', '-c', 'max_connections=300'])
      .withTmpFs({ '/var/lib/postgresql/data': 'rw' })
      .withExposedPorts(5432)
      .withHealthCheck({
        test: ['CMD-SHELL', 'pg_isready -h 127.0.0.1 -U postgres'],
        interval: 500,
        timeout: 3000,
        retries: 120,
      })
      .withWaitStrategy(Wait.forHealthCheck())
      .withStartupTimeout(STARTUP_MS)
      .start(),
    new GenericContainer('valkey/valkey:8-trixie')
      .withCommand([
        'valkey-server',
        '--bind',
        '0.0.0.0',
        '--protected-mode',
        'no',
        '--databases',
        '10000',
        '--appendonly',
        'yes',
      ])
      .withExposedPorts(6379)
      .withWaitStrategy(Wait.forLogMessage(/Ready to accept connections/))
      .withStartupTimeout(STARTUP_MS)
      .start(),
    gateway
      .withEnvironment(credentials)
      .withExposedPorts(7480)
      .withWaitStrategy(Wait.forHealthCheck())
      .withStartupTimeout(STARTUP_MS)
      .start(),
  ]);
  globalThis.testEngines = [postgres, valkey, s3];
  const at = (container, port) => `${container.getHost()}:${container.getMappedPort(port)}`;
  Object.assign(process.env, {
    TEST_POSTGRES_URL: `postgres://postgres:postgres@${at(postgres, 5432)}/postgres`,
    TEST_VALKEY_URL: `redis://${at(valkey, 6379)}`,
    TEST_S3_ENDPOINT: `http://${at(s3, 7480)}`,
    TEST_S3_ACCESS_KEY_ID: credentials.AWS_ACCESS_KEY_ID,
    TEST_S3_SECRET_ACCESS_KEY: credentials.AWS_SECRET_ACCESS_KEY,
  });

  const { prepareTemplate } = await import('./template-database.ts');
  await prepareTemplate(process.env.TEST_POSTGRES_URL);
}

/** The image installs Debian packages: a download that breaks off is repeated. */
async function buildGateway(GenericContainer, attempts = 3) {
  const folder = join(import.meta.dirname, '..', '..', 'scripts', 's3-gateway');
  try {
    return await GenericContainer.fromDockerfile(folder).build('x12-s3-gateway', { deleteOnExit: false });
  } catch (error) {
    if (attempts === 1) throw error;
    return buildGateway(GenericContainer, attempts - 1);
  }
}
