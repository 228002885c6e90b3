import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../../sources/src/testing/temporary-folder.ts';
import {
  keepSecret,
  keepSecretKey,
  readSettings,
  replaceSecretKey,
  secretKeys,
  SettingsError,
  settingsTable,
  shownSettings,
} from './index.ts';

const { fileAt } = temporaryFolder();
const read = (env: Record<string, string>) => readSettings(env, (file) => `secret of ${file}`);

function refusalOf(env: Record<string, string>): string {
  try {
    read(env);
  } catch (error) {
    if (error instanceof SettingsError) return error.message;
    throw error;
  }
  throw new Error(`accepted: ${JSON.stringify(env)}`);
}

describe('settings', () => {
  const mailServer = 'smtps://user:pass@mail.example.com';
  const plans = '{"free":{"monthly_credits":0},"studio":{"monthly_credits":1000000000,"teams":true}}';
  const secret = 'x'.repeat(32);
  it.each<[env: Record<string, string>, expected: object]>([
    [{}, { http: { host: '127.0.0.1', port: 3000, publicUrl: 'http://127.0.0.1:3000', rateLimitPerMinute: 600 } }],
    [{}, { uploads: { urlTtlSeconds: 3600, tempFileTtlSeconds: 43_200, sweepIntervalSeconds: 60 } }],
    [{}, { data: { folder: `${process.cwd()}/.data` }, accounts: { signupEnabled: true }, database: { url: null } }],
    [{}, { mail: { smtpUrl: null, from: 'no-reply@localhost' }, storage: { formerPublicUrls: [] } }],
    [{ SIGNUP_ENABLED: 'true', S3_FORCE_PATH_STYLE: 'true' }, { accounts: { signupEnabled: true } }],
    [{ SIGNUP_ENABLED: 'false' }, { accounts: { signupEnabled: false }, storage: { forcePathStyle: false } }],
    [{ S3_FORCE_PATH_STYLE: 'true' }, { storage: { forcePathStyle: true } }],
    [{ S3_FORCE_PATH_STYLE: 'false' }, { storage: { forcePathStyle: false } }],
    [{ LOG_LEVEL: 'warn' }, { log: { level: 'warn' } }],
    [{ DATABASE_URL: 'postgresql://u:p@db:5432/x' }, { database: { url: 'postgresql://u:p@db:5432/x' } }],
    [{ REDIS_URL: 'rediss://:p@cache:6380/0' }, { redis: { url: 'rediss://:p@cache:6380/0' } }],
    [{ S3_ENDPOINT: 'http://127.0.0.1:9000' }, { storage: { endpoint: 'http://127.0.0.1:9000' } }],
    [{ INVITATION_URL: 'https://app.example.com/join' }, { mail: { invitationUrl: 'https://app.example.com/join' } }],
    [{ SMTP_URL: mailServer, MAIL_FROM: 'a@example.com' }, { mail: { smtpUrl: mailServer, from: 'a@example.com' } }],
    [{ SMTP_URL: mailServer, MAIL_FROM: 'X12 Studio <a@b.com>' }, { mail: { from: 'X12 Studio <a@b.com>' } }],
    [{ PUBLIC_URL: 'https://api.example.com/' }, { http: { publicUrl: 'https://api.example.com' } }],
    [{ HOST: '127.0.0.1' }, { http: { publicUrl: 'http://127.0.0.1:3000' } }],
    [{ HOST: '0.0.0.0' }, { http: { publicUrl: 'http://localhost:3000' } }],
    [{ HOST: '::' }, { http: { publicUrl: 'http://localhost:3000' } }],
    [{ HOST: '::1' }, { http: { publicUrl: 'http://[::1]:3000' } }],
    [{ HOST: 'api-1.internal' }, { http: { publicUrl: 'http://api-1.internal:3000' } }],
    [
      { FETCH_ALLOWED_HOSTS: 'Files.local:8080, 10.0.0.1:65535,[::1]:1' },
      { fetch: { allowedHosts: ['files.local:8080', '10.0.0.1:65535', '[::1]:1'] } },
    ],
    [
      { FORMER_PUBLIC_URLS: 'http://old.example.com, https://cdn.example.com/x' },
      { storage: { formerPublicUrls: ['http://old.example.com', 'https://cdn.example.com/x'] } },
    ],
    [
      { TRUSTED_PROXIES: '10.0.0.0/8, ::1, fd00::/128' },
      { http: { trustedProxies: ['10.0.0.0/8', '::1', 'fd00::/128'] } },
    ],
    [{ PLANS: plans }, { accounts: { plans: { free: { id: 'free', monthlyCredits: 0, teams: false } } } }],
    [{ PLANS: plans }, { accounts: { plans: { studio: { monthlyCredits: 1_000_000_000, teams: true } } } }],
    [{ STORAGE_QUOTAS: '{"free":0,"pro":5368709120}' }, { storage: { quotas: { free: 0, pro: 5_368_709_120 } } }],
    [{ BACKUP_SCHEDULE: '30 3 * * 1-5' }, { backup: { schedule: '30 3 * * 1-5', keep: 7 } }],
    [{ OIDC_OPERATOR_CLAIM: 'roles=a=b c' }, { oidc: { operatorClaim: { name: 'roles', value: 'a=b c' } } }],
    [{}, { oidc: { operatorClaim: null } }],
    [{ STORAGE_SIGNING_SECRET: secret }, { storage: { signingSecret: secret } }],
    [{ DATA_DIR: '/srv/x12' }, { storage: { signingSecret: 'secret of /srv/x12/secrets/storage-signing' } }],
  ])('read %j', (env, expected) => expect(read(env)).toMatchObject(expected));

  const integers: readonly [variable: string, min: number, max: number][] = [
    ['PORT', 1, 65_535],
    ['METRICS_PORT', 1, 65_535],
    ['WORKER_METRICS_PORT', 1, 65_535],
    ['MAX_BODY_BYTES', 65_536, 67_108_864],
    ['RATE_LIMIT_PER_MINUTE', 0, 1_000_000],
    ['IDEMPOTENCY_TTL_SECONDS', 60, 2_592_000],
    ['DRAIN_SECONDS', 0, 300],
    ['AUDIT_DAYS', 1, 36_500],
    ['DATABASE_POOL_SIZE', 2, 200],
    ['BACKUP_KEEP', 1, 1000],
    ['MAX_UPLOAD_BYTES', 1, 1_099_511_627_776],
    ['UPLOAD_URL_TTL_SECONDS', 1, 604_800],
    ['DISK_RESERVE_BYTES', 0, 1_099_511_627_776],
    ['TEMP_FILE_TTL_SECONDS', 1, 31_536_000],
    ['SWEEP_INTERVAL_SECONDS', 1, 86_400],
    ['MAX_MEDIA_BYTES', 1, 1_073_741_824],
    ['FETCH_TIMEOUT_SECONDS', 1, 600],
    ['TOKEN_TTL_DAYS', 0, 3650],
    ['WORKER_CONCURRENCY', 1, 64],
    ['WORKSPACE_CONCURRENCY', 1, 1024],
  ];
  it.each(integers)('take %s as a whole number from %d to %d', (variable, min, max) => {
    for (const limit of [min, max]) expect(() => read({ [variable]: String(limit) })).not.toThrow();
    const refused = { 'is too small': [min - 1], 'is too large': [max + 1] };
    const malformed = { 'is not a whole number': ['1.0', '1e3', '0x10', 'many', '1 000'] };
    for (const [why, values] of Object.entries({ ...refused, ...malformed })) {
      const message = `${variable} ${why}: give a whole number from ${min} to ${max}`;
      for (const value of values) expect(refusalOf({ [variable]: String(value) })).toBe(message);
    }
  });

  it.each<[variable: string, why: string, values: readonly string[]]>([
    ['SIGNUP_ENABLED', 'is neither', ['yes', '1', 'TRUE']],
    ['S3_FORCE_PATH_STYLE', 'is neither', ['yes']],
    ['LOG_LEVEL', 'is not an allowed value: give one of `fatal`, `error`, `warn`', ['loud']],
    ['DATABASE_URL', 'has another scheme', ['mysql://u:p@db/x']],
    ['REDIS_URL', 'has another scheme', ['http://cache']],
    ['S3_ENDPOINT', 'has another scheme', ['ftp://127.0.0.1']],
    ['PUBLIC_URL', 'has another scheme', ['ws://api.example.com']],
    ['PUBLIC_URL', 'has a path', ['https://api.example.com/v2', 'https://api.example.com/?a']],
    ['PUBLIC_URL', 'contains a user', ['https://a:b@api.example.com']],
    ['INVITATION_URL', 'has another scheme', ['mailto:join@example.com']],
    ['SMTP_URL', 'has another scheme', ['http://mail']],
    ...['DATABASE_URL', 'REDIS_URL', 'S3_ENDPOINT', 'PUBLIC_URL', 'INVITATION_URL', 'FORMER_PUBLIC_URLS'].map(
      (variable): [string, string, string[]] => [variable, 'is not a URL', ['nowhere']],
    ),
    ['HOST', 'is neither', ['a b', 'http://a', '1.2.3', '-a', 'a..b', 'a'.repeat(64)]],
    ['MAIL_FROM', 'is not an e-mail address: give', ['x12', 'a@b@c', 'a b@c', 'a@b, c@d', 'X12 <a@b']],
    ['MAIL_FROM', 'is not an e-mail address: give', ['X12 <a@b> x', 'X\u0001 <a@b>']],
    ['MAIL_FROM', 'is too long: give', [`${'a'.repeat(320)}@b`]],
    [
      'FETCH_ALLOWED_HOSTS',
      'has an entry',
      ['files.local', 'a:0', 'a:65536', '::1:80', '[127.0.0.1]:80', 'a:1,', 'http://a:1'],
    ],
    ['TRUSTED_PROXIES', 'has an entry', ['10.0.0.0/33', 'fd00::/129', '10.0.0', 'proxy', '10.0.0.0/8/8', '10.0.0.0/']],
    ['STORAGE_SIGNING_SECRET', 'is too short', ['x'.repeat(31)]],
    ['STORAGE_QUOTAS', 'is not an object', ['[]']],
    [
      'STORAGE_QUOTAS',
      'has no whole number of bytes for the plan `free`',
      ['{"free":-1}', '{"free":1.5}', '{"free":"1"}'],
    ],
    ['STORAGE_QUOTAS', 'has a plan `gold`', ['{"gold":1}']],
    ['OIDC_OPERATOR_CLAIM', 'is not a claim and its value: give `claim=value`', ['roles', 'roles=', '=operator', '=']],
    ['OIDC_OPERATOR_CLAIM', 'has a blank', ['roles =operator', 'roles= operator', 'ro\u0007les=operator']],
    ['OIDC_OPERATOR_CLAIM', 'is too long', [`roles=${'x'.repeat(1019)}`]],
    ['BACKUP_SCHEDULE', 'has not five fields', ['daily', '@daily', '0 3 * *', '0 0 3 * * *']],
    ['BACKUP_SCHEDULE', 'has a field', ['60 3 * * *', '0 24 * * *', 'a b c d e']],
    ['PLANS', 'is not JSON', ['{']],
    ['PLANS', 'is not an object', ['[]']],
    ['PLANS', 'has no plan `free`', ['{"pro":{"monthly_credits":1}}']],
    ['PLANS', 'has `monthly_credits` of the plan `free` outside', ['{"free":{"monthly_credits":-1}}']],
    ['PLANS', 'has `monthly_credits` of the plan `free` outside', ['{"free":{"monthly_credits":1000000001}}']],
    ['PLANS', 'has no whole number as `monthly_credits`', ['{"free":{"monthly_credits":1.5}}']],
    ['PLANS', 'has no true or false as `teams`', ['{"free":{"monthly_credits":1,"teams":"no"}}']],
    ['PLANS', 'has no object for the plan `free`', ['{"free":7}']],
    ['PLANS', 'has a plan whose name', ['{"free":{"monthly_credits":1},"Big Plan":{"monthly_credits":1}}']],
  ])('refuse %s that %s', (variable, why, values) => {
    for (const value of values) {
      expect(refusalOf({ [variable]: value }).startsWith(`${variable} ${why}`)).toBe(true);
    }
  });

  it('require a sender for a mail server', () => {
    expect(refusalOf({ SMTP_URL: mailServer })).toMatch(/^MAIL_FROM is missing: /);
  });

  it('count an empty or blank variable as absent', () => {
    expect(read({ PORT: '', HOST: '  ', DATABASE_URL: '' })).toEqual(read({}));
  });

  it('cannot be changed at any depth', () => {
    const settings = read({ FETCH_ALLOWED_HOSTS: 'a:1' });
    for (const part of [settings, settings.http, settings.fetch.allowedHosts, settings.accounts.plans.free]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
  });

  it('name every wrong variable, one line each, and never its value', () => {
    const message = refusalOf({
      PORT: 'hunter2',
      STORAGE_SIGNING_SECRET: 'hunter2',
      DATABASE_URL: 'mysql://hunter2@db/x',
      PLANS: '{"free":"hunter2"}',
    });
    const variables = message.split('\n').map((line) => line.split(' ')[0]);
    expect(variables).toEqual(['PORT', 'DATABASE_URL', 'STORAGE_SIGNING_SECRET', 'PLANS']);
    expect(message).not.toContain('hunter2');
  });

  it('are read from the file that the variable with _FILE names, which overrides the other', () => {
    const file = (name: string, content: string) => {
      writeFileSync(fileAt(name), content);
      return fileAt(name);
    };
    const { admin, storage, environment } = read({
      ADMIN_TOKEN: 'y'.repeat(32),
      ADMIN_TOKEN_FILE: file('token', `${secret}\n`),
      S3_BUCKET: 'files',
      AWS_ACCESS_KEY_ID_FILE: file('id', 'id'),
      AWS_SECRET_ACCESS_KEY_FILE: file('key', 'key'),
      AWS_WEB_IDENTITY_TOKEN_FILE: fileAt('nowhere'),
      MODELS_FILE: 'models.yaml',
      PROVENANCE_KEY_FILE: fileAt('nowhere'),
      VENDOR_KEY_FILE: file('vendor', 'of a vendor'),
    });
    expect(admin.token).toBe(secret);
    expect(storage).toMatchObject({ credentials: { accessKeyId: 'id', secretAccessKey: 'key' } });
    expect(environment).toMatchObject({ VENDOR_KEY: 'of a vendor', MODELS_FILE: 'models.yaml' });
    expect(environment).not.toHaveProperty('PROVENANCE_KEY');
  });

  it('have the keys of the bucket by file, in plain, or one of each', () => {
    writeFileSync(fileAt('key'), 'key');
    const half = { S3_BUCKET: 'files', AWS_SECRET_ACCESS_KEY_FILE: fileAt('key') };
    const { storage } = read({ ...half, AWS_ACCESS_KEY_ID: 'id' });
    expect(storage).toMatchObject({ credentials: { accessKeyId: 'id', secretAccessKey: 'key' } });
    expect(refusalOf(half)).toBe('AWS_ACCESS_KEY_ID is missing: the other key of the bucket is given by file');
  });

  const variables = shownSettings({ environment: {} }).map(({ variable }) => variable);
  it.each(variables)('include %s, which is read from a file too', (variable) => {
    const byFile = { [`${variable}_FILE`]: '/nowhere/value' };
    const unreadable = `${variable}_FILE cannot be read (ENOENT): give a file that the service may read`;
    expect(refusalOf(byFile)).toBe(unreadable);
  });

  it('need a writable data folder for the signing secret, unless a bucket has the files', () => {
    const unwritable = () => {
      throw Object.assign(new Error('EACCES: /srv/x12'), { code: 'EACCES' });
    };
    expect(() => readSettings({}, unwritable)).toThrow(/^DATA_DIR \S+ is not writable \(EACCES: \S+\): make/);
    const { storage } = readSettings({ S3_BUCKET: 'files' }, unwritable);
    expect(storage).toMatchObject({ bucket: 'files', signingSecret: null });
  });

  it('reach the programs of docker-compose.yml from .env, secrets also by file', () => {
    const compose = readFileSync(join(import.meta.dirname, '..', '..', '..', 'docker-compose.yml'), 'utf8');
    const environment = /  environment: &environment\n([^]*?)\n  \w/.exec(compose)![1]!;
    const namesIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = '']) => name);
    const passed = new Set(namesIn(environment, /^ {4}(\w+):/gm));
    const variables = namesIn(settingsTable(), /^\| `(\w+)`/gm);
    const fixedByTheImage = ['HOST', 'PORT', 'DATA_DIR'];
    expect(variables.filter((name) => !fixedByTheImage.includes(name) && !passed.has(name))).toEqual([]);
    const ofTheDiskStore = ['STORAGE_SIGNING_SECRET'];
    const secrets = variables.filter((name) => /(TOKEN|KEY|SECRET|(DATABASE|REDIS|SMTP)_URL)$/.test(name));
    const byFile = secrets.filter((name) => !ofTheDiskStore.includes(name)).map((name) => `${name}_FILE`);
    expect(byFile.filter((name) => !passed.has(name))).toEqual([]);
  });

  it('have one complete row each in the documentation (else: npm run document-settings)', () => {
    const operations = readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'operations.md'), 'utf8');
    const table = settingsTable();
    expect(/<!-- prettier-ignore-start -->\n([^]*)<!-- prettier-ignore-end -->/.exec(operations)![1]).toBe(table);
    const [, , ...rows] = table.trim().split('\n');
    const variables = rows.map((row) => /^\| `([A-Z0-9_]+)` \|(?: [^|]*\|){3}$/.exec(row)?.[1]);
    expect(variables).not.toContain(undefined);
    expect(new Set(variables).size).toBe(rows.length);
  });
});

describe('a kept secret', () => {
  it('stays the same, and only its owner can read it', () => {
    const file = fileAt('secrets/one');
    const secret = keepSecret(file);
    expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
    expect(keepSecret(file)).toBe(secret);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(fileAt('secrets')).mode & 0o777).toBe(0o700);
    expect(keepSecret(fileAt('secrets/two'))).not.toBe(secret);
  });

  it('is one secret for processes that make it at the same time', async () => {
    const file = fileAt('secrets/one');
    const script = `import { keepSecret } from ${JSON.stringify(join(import.meta.dirname, 'keep-secret.ts'))};
      console.log(keepSecret(${JSON.stringify(file)}));`;
    const run = () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
    const outputs = await Promise.all(Array.from({ length: 6 }, run));
    expect(new Set(outputs.map(({ stdout }) => stdout.trim())).size).toBe(1);
    expect(readdirSync(fileAt('secrets'))).toEqual(['one']);
  });
});

describe('the secret key', () => {
  const [one, other] = [Buffer.alloc(32, 1).toString('base64'), Buffer.alloc(32, 2).toString('base64')];
  const settingsWith = (env: Record<string, string> = {}) => read({ DATA_DIR: fileAt(''), ...env });

  it('is the key of the settings, else the key in the data folder, which `npm start` makes readable for the owner alone', () => {
    expect(secretKeys(settingsWith())).toEqual({ current: null, previous: null });
    const given = settingsWith({ SECRET_KEY: one, PREVIOUS_SECRET_KEY: other });
    keepSecretKey(given);
    expect(readdirSync(fileAt(''))).toEqual([]);
    keepSecretKey(settingsWith());
    const { current } = secretKeys(settingsWith());
    expect(Buffer.from(current!, 'base64')).toHaveLength(32);
    expect(statSync(settingsWith().data.secretKey).mode & 0o777).toBe(0o600);
    keepSecretKey(settingsWith());
    expect(secretKeys(settingsWith())).toEqual({ current, previous: null });
    expect(secretKeys(given)).toEqual({ current: one, previous: other });
  });

  it('becomes the previous one when it is replaced, for its owner alone', () => {
    const { secrets, data } = settingsWith();
    keepSecretKey({ secrets, data });
    const { current: first } = secretKeys({ secrets, data });
    replaceSecretKey(data);
    const { current: second, previous } = secretKeys({ secrets, data });
    expect(previous).toBe(first);
    expect(second).not.toBe(first);
    expect(readdirSync(data.secrets).sort()).toEqual(['previous-secret.key', 'secret.key']);
    for (const file of [data.secretKey, data.previousSecretKey]) expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('is 32 bytes in base64, and is never shown', () => {
    for (const key of [one, one.replace('=', ''), Buffer.from(one, 'base64').toString('base64url')]) {
      expect(settingsWith({ SECRET_KEY: key }).secrets.key).toBe(key);
    }
    for (const wrong of [one.slice(1), `${one}=`, `a${one}`, 'x'.repeat(42), Buffer.alloc(31).toString('base64')]) {
      expect(refusalOf({ SECRET_KEY: wrong })).toContain('SECRET_KEY is no key of 32 bytes');
    }
    expect(refusalOf({ PREVIOUS_SECRET_KEY: one })).toContain('without SECRET_KEY');
    const shown = shownSettings(settingsWith({ SECRET_KEY: one, PREVIOUS_SECRET_KEY: other }));
    expect(JSON.stringify(shown)).not.toMatch(/AQEB|AgIC/);
  });
});
