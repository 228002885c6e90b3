import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from '@jest/globals';
import { readSettings, type Settings } from '#config';
import { StoredUrls } from '#files';
import { freePort } from '#process';
import { Api } from '../../apps/api/src/api.ts';
import { buildDocument } from '../../apps/api/src/http/openapi/build-document.ts';
import { Worker } from '../../apps/worker/src/worker.ts';
import { callApi, type TestRequest, type TestResponse } from './call-api.ts';
import { connectDatabase, createDatabase, type TestDatabase } from './database.ts';
import { DocumentedResponses } from './documented-responses.ts';
import { engineSettings } from './engines.ts';

export interface TestUser {
  readonly id: number;
  readonly email: string;
  readonly password: string;
  readonly token: string;
}

/** The API and the worker, as `npm start` runs them, within this process and on a database of their own. */
export interface TestService {
  readonly baseUrl: string;
  readonly settings: Settings;
  readonly database: TestDatabase;
  readonly api: Api;
  /** Rejects if the response is not as the OpenAPI document says. */
  call(method: string, path: string, request?: TestRequest): Promise<TestResponse>;
  /** A new user, signed up over HTTP. */
  signUp(): Promise<TestUser>;
  /** The address that the URLs of stored files start with. */
  readonly filesAddress: string;
  /** Starts another API on the same data, which shows stored files at `address`. */
  withFilesAt(address: string): Promise<Pick<TestService, 'baseUrl' | 'call' | 'stop'>>;
  /** Ends the worker, as if it had been stopped. */
  stopWorker(): Promise<void>;
  startWorker(): Promise<void>;
  /** Stops everything and removes its data. */
  stop(): Promise<void>;
}

/** A test that needs a service of its own: one with other settings, whose worker stops, or with an empty database. */
export const itHere = process.env.X12_URL ? it.skip : it;

/**
 * @param env settings that differ from what tests want: no log but errors, no rate limit
 * @param options.worker whether the worker runs too (default: yes)
 */
export async function startService(
  env: Readonly<Record<string, string>> = {},
  options: { readonly worker?: boolean } = {},
): Promise<TestService> {
  if (process.env.X12_URL) return runningService(process.env.X12_URL);
  const folder = await mkdtemp(join(tmpdir(), 'x12-e2e-'));
  const database = await createDatabase();
  const settings = readSettings({
    DATA_DIR: folder,
    DATABASE_URL: database.url,
    DATABASE_POOL_SIZE: '5',
    LOG_LEVEL: 'error',
    RATE_LIMIT_PER_MINUTE: '0',
    PORT: String(await freePort()),
    ...(process.env.TEST_ENGINES ? await engineSettings() : {}),
    ...env,
  });
  const baseUrl = settings.http.publicUrl;
  const api = await Api.start(settings);
  const client = clientOf(baseUrl, new DocumentedResponses(buildDocument(api.app)));
  let worker: Worker | null = null;

  const service: TestService = {
    baseUrl,
    settings,
    database,
    api,
    ...client,
    filesAddress: api.app.get(StoredUrls, { strict: false }).plainUrlOf('files/a/b').replace('files/a/b', ''),
    async withFilesAt(address) {
      const port = (await freePort())!;
      const { http, storage } = settings;
      const moved = await Api.start({
        ...settings,
        http: { ...http, port, publicUrl: address },
        storage: { ...storage, publicUrl: address, formerPublicUrls: [service.filesAddress.slice(0, -1)] },
      });
      const origin = `http://127.0.0.1:${port}`;
      const call: TestService['call'] = (method, path, request) => callApi(new URL(path, origin), method, request);
      return { baseUrl: origin, call, stop: () => moved.stop() };
    },
    async startWorker() {
      worker ??= await Worker.start(settings);
    },
    async stopWorker() {
      await worker?.stop();
      worker = null;
    },
    async stop() {
      await Promise.all([api.stop(), service.stopWorker()]);
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
  if (options.worker ?? true) await service.startWorker();
  return service;
}

/**
 * A service that runs elsewhere, such as that of docker-compose.yml (scripts/check-compose), with the settings that it
 * has. What needs its settings, its folders or its processes throws.
 */
async function runningService(baseUrl: string): Promise<TestService> {
  const document = await callApi(new URL('/openapi.json', baseUrl), 'GET');
  const client = clientOf(baseUrl, new DocumentedResponses(document.body));
  const { token } = await client.signUp();
  const { body } = await client.call('POST', '/v2/upload', { token, form: { filename: 'a.png' } });
  const database = await connectDatabase(process.env.X12_DATABASE_URL!, { poolSize: 5 });
  const notHere = (): never => {
    throw new Error('this needs a service within the process of the test, and X12_URL is set');
  };
  return {
    ...client,
    baseUrl,
    database,
    filesAddress: body.final_url.replace(/files\/[^/]+\/[^/]+$/, ''),
    withFilesAt: notHere,
    stopWorker: notHere,
    startWorker: async () => undefined,
    stop: () => database.drop(),
    get settings() {
      return notHere();
    },
    get api() {
      return notHere();
    },
  };
}

function clientOf(baseUrl: string, documented: DocumentedResponses): Pick<TestService, 'call' | 'signUp'> {
  const call: TestService['call'] = async (method, path, request) => {
    const url = new URL(path, baseUrl);
    const response = await callApi(url, method, request);
    documented.check(method, url.pathname, response);
    return response;
  };
  return {
    call,
    async signUp() {
      const account = { email: `${randomUUID()}@example.com`, password: randomUUID() };
      const { status, body } = await call('POST', '/v2/auth/signup', { json: account });
      if (status !== 201) throw new Error(`sign-up responded ${status}: ${JSON.stringify(body)}`);
      return { ...account, id: body.user.id, token: body.token };
    },
  };
}
