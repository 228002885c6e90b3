/** @tier deep, 15 s, about libs/config */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readSettings, shownSettings } from '#config';
import { freePort } from '#process';
import { SmtpCatcher } from '#testing/adapters/mail';
import { Api } from '../../apps/api/src/api.ts';
import { Worker } from '../../apps/worker/src/worker.ts';
import { callApi } from '../support/call-api.ts';
import { runCommand } from '../support/command-line.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { engineSettings } from '../support/engines.ts';
import { gateway } from '../support/s3-bucket.ts';
const nowhere = 'http://127.0.0.1:9';

let folder: string;
let database: TestDatabase;
let mailServer: SmtpCatcher;
/** A value for each setting that has no default, and for what a service on these engines needs otherwise. */
let values: Readonly<Record<string, string>>;
/** Every setting by file alone. */
let byFile: Readonly<Record<string, string>>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'x12-by-file-'));
  database = await createDatabase();
  mailServer = await SmtpCatcher.start({ user: { name: 'x12', password: 'mail-password' } });
  const port = String(await freePort());
  const secret = 'x'.repeat(32);
  values = {
    PORT: port,
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    TRUSTED_PROXIES: '127.0.0.1',
    METRICS_PORT: String(await freePort()),
    WORKER_METRICS_PORT: String(await freePort()),
    OTEL_EXPORTER_OTLP_ENDPOINT: nowhere,
    ADMIN_TOKEN: secret,
    LOG_LEVEL: 'silent',
    DATA_DIR: join(folder, 'data'),
    BACKUP_SCHEDULE: '30 3 * * *',
    DATABASE_URL: database.url,
    ...(await engineSettings()),
    S3_PUBLIC_ENDPOINT: gateway.endpoint,
    S3_PUBLIC_URL: `${gateway.endpoint}/public`,
    FORMER_PUBLIC_URLS: nowhere,
    STORAGE_SIGNING_SECRET: secret,
    PROVENANCE_KEY_FILE: join(folder, 'provenance.key'),
    PROVENANCE_CERTIFICATE_FILE: join(folder, 'provenance.pem'),
    PROVENANCE_TRUST_FILE: join(folder, 'roots.pem'),
    AWS_ACCESS_KEY_ID: gateway.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: gateway.credentials.secretAccessKey,
    SMTP_URL: mailServer.url,
    MAIL_FROM: 'x12@example.com',
    INVITATION_URL: `${nowhere}/join`,
    FETCH_ALLOWED_HOSTS: '127.0.0.1:9',
    MODELS_FILE: join(folder, 'models.yaml'),
    REPLICATE_API_TOKEN: 'replicate',
    REPLICATE_BASE_URL: nowhere,
    FAL_KEY: 'fal',
    FAL_BASE_URL: nowhere,
    OPENAI_API_KEY: 'openai',
    OPENAI_BASE_URL: `${nowhere}/v1`,
    COMFYUI_URL: nowhere,
    WORKSPACE_CONCURRENCY: '4',
    STORAGE_QUOTAS: '{"free":1000000000}',
    SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
    PREVIOUS_SECRET_KEY: Buffer.alloc(32, 2).toString('base64'),
    OIDC_ISSUER: nowhere,
    OIDC_CLIENT_ID: 'x12',
    OIDC_CLIENT_SECRET: 'hush',
    OIDC_ALLOWED_DOMAINS: 'example.com',
    OIDC_OPERATOR_CLAIM: 'roles=operator',
  };
  await mkdir(join(folder, 'settings'));
  await writeFile(values.MODELS_FILE!, 'models: []\n');
  byFile = await filesOf(withDefaults());
});
afterAll(async () => {
  await mailServer.stop();
  await database.drop();
  await rm(folder, { recursive: true });
});

/** The values above, and the defaults of the settings that have one. */
function withDefaults(): Record<string, string> {
  const defaults = shownSettings({ environment: {} }).flatMap((setting): [string, string][] => {
    const [, value] = /^`([^`]+)`$/.exec(setting.default ?? '') ?? [];
    return value === undefined ? [] : [[setting.variable, value]];
  });
  return { ...Object.fromEntries(defaults), ...values };
}

/** Writes each value into a file. @returns the variables with `_FILE` that name them */
async function filesOf(given: Readonly<Record<string, string>>): Promise<Record<string, string>> {
  const named = Object.entries(given).map(async ([variable, value]): Promise<[string, string]> => {
    const file = join(folder, 'settings', variable);
    await writeFile(file, `${value}\n`);
    return [`${variable}_FILE`, file];
  });
  return Object.fromEntries(await Promise.all(named));
}

describe('settings in files', () => {
  it('are every setting (a new one without a default needs a value in this suite)', () => {
    const known = shownSettings({ environment: {} }).map(({ variable }) => variable);
    expect(known.filter((variable) => !(`${variable}_FILE` in byFile))).toEqual([]);
  });

  it('are read as if they were variables', () => {
    const { environment: _ofFiles, ...read } = readSettings(byFile);
    const { environment: _ofVariables, ...expected } = readSettings(withDefaults());
    const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = values;
    expect(read).toEqual({
      ...expected,
      storage: { ...expected.storage, credentials: { accessKeyId, secretAccessKey } },
    });
  });

  it('set a bucket up, and start an API and a worker that reach database, queue, storage and mail', async () => {
    const before = { ...process.env };
    delete process.env.AWS_ACCESS_KEY_ID;
    delete process.env.AWS_SECRET_ACCESS_KEY;
    const settings = readSettings(byFile);
    const started: { stop(): Promise<void> }[] = [];
    try {
      expect(await runCommand(byFile, 'storage', 'setup')).toMatchObject({ code: 0, complaints: '' });
      started.push(await Api.start(settings), await Worker.start(settings));
      const ready = await callApi(new URL('/health/ready', values.PUBLIC_URL), 'GET');
      expect(ready.status).toBe(200);
      expect(ready.body.checks.map(({ state }: { state: string }) => state)).not.toContain('down');

      const admin = { token: values.ADMIN_TOKEN };
      expect((await callApi(new URL('/admin/api/settings', values.PUBLIC_URL), 'GET', admin)).status).toBe(200);
      const { out } = await runCommand(byFile, 'doctor', '--json');
      const findings = JSON.parse(out) as { check: string; state: string; finding: string }[];
      const ours = findings.filter(({ check }) => ['database', 'queue', 'redis', 'mail'].includes(check));
      expect(ours.map(({ check, state }) => [check, state])).toEqual([
        ['database', 'well'],
        ['queue', 'well'],
        ['redis', 'well'],
        ['mail', 'well'],
      ]);
    } finally {
      for (const each of started) await each.stop();
      process.env = before;
    }
  });
});
