import { describe, expect, it } from '@jest/globals';
import { readSettings, SettingsError } from './read-settings.ts';

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
  it('are complete without any variable', () => {
    const settings = read({});
    expect(settings.http).toMatchObject({
      host: '127.0.0.1',
      port: 3000,
      publicUrl: 'http://127.0.0.1:3000',
      rateLimitPerMinute: 600,
    });
    expect(settings.uploads).toMatchObject({
      urlTtlSeconds: 3600,
      tempFileTtlSeconds: 43_200,
      sweepIntervalSeconds: 60,
    });
    expect(settings.data.folder).toBe(`${process.cwd()}/.data`);
    expect(settings.accounts.signupEnabled).toBe(true);
    expect(settings.database.url).toBeNull();
  });

  it('count an empty or blank variable as absent', () => {
    expect(read({ PORT: '', HOST: '  ', DATABASE_URL: '' })).toEqual(read({}));
  });

  it('can not be changed at any depth', () => {
    const settings = read({ FETCH_ALLOWED_HOSTS: 'a:1' });
    for (const part of [settings, settings.http, settings.fetch.allowedHosts, settings.accounts.plans.free]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
  });

  const integers: readonly [variable: string, min: number, max: number][] = [
    ['PORT', 1, 65_535],
    ['METRICS_PORT', 1, 65_535],
    ['MAX_BODY_BYTES', 65_536, 67_108_864],
    ['RATE_LIMIT_PER_MINUTE', 0, 1_000_000],
    ['IDEMPOTENCY_TTL_SECONDS', 60, 2_592_000],
    ['DATABASE_POOL_SIZE', 2, 200],
    ['MAX_UPLOAD_BYTES', 1, 1_099_511_627_776],
    ['UPLOAD_URL_TTL_SECONDS', 1, 604_800],
    ['TEMP_FILE_TTL_SECONDS', 1, 31_536_000],
    ['SWEEP_INTERVAL_SECONDS', 1, 86_400],
    ['MAX_MEDIA_BYTES', 1, 1_073_741_824],
    ['FETCH_TIMEOUT_SECONDS', 1, 600],
    ['TOKEN_TTL_DAYS', 0, 3650],
    ['WORKER_CONCURRENCY', 1, 64],
  ];
  it.each(integers)('%s is a whole number from %d to %d', (variable, min, max) => {
    const allowed = `give a whole number from ${min} to ${max}`;
    expect(() => read({ [variable]: String(min) })).not.toThrow();
    expect(() => read({ [variable]: String(max) })).not.toThrow();
    expect(refusalOf({ [variable]: String(min - 1) })).toBe(`${variable} is too small: ${allowed}`);
    expect(refusalOf({ [variable]: String(max + 1) })).toBe(`${variable} is too large: ${allowed}`);
    for (const text of ['1.0', '1e3', '0x10', 'many', '1 000']) {
      expect(refusalOf({ [variable]: text })).toBe(`${variable} is not a whole number: ${allowed}`);
    }
  });

  it.each(['SIGNUP_ENABLED', 'S3_FORCE_PATH_STYLE'])('%s is true or false', (variable) => {
    expect(read({ [variable]: 'true' })).not.toEqual(read({ [variable]: 'false' }));
    expect(refusalOf({ [variable]: 'yes' })).toMatch(`${variable} is neither`);
  });

  it('take a log level only from the list', () => {
    expect(read({ LOG_LEVEL: 'warn' }).log.level).toBe('warn');
    expect(refusalOf({ LOG_LEVEL: 'loud' })).toMatch(/^LOG_LEVEL .*`warn`/);
  });

  it.each([
    ['DATABASE_URL', 'postgresql://u:p@db:5432/x', 'mysql://u:p@db/x'],
    ['REDIS_URL', 'rediss://:p@cache:6380/0', 'http://cache'],
    ['S3_ENDPOINT', 'http://127.0.0.1:9000', 'ftp://127.0.0.1'],
    ['PUBLIC_URL', 'https://api.example.com', 'ws://api.example.com'],
    ['INVITATION_URL', 'https://app.example.com/join', 'mailto:join@example.com'],
  ])('%s is a URL of its own schemes', (variable, right, wrong) => {
    expect(() => read({ [variable]: right })).not.toThrow();
    expect(refusalOf({ [variable]: wrong })).toMatch(`${variable} has another scheme`);
    expect(refusalOf({ [variable]: 'nowhere' })).toMatch(`${variable} is not a URL`);
  });

  it('take a mail server together with a sender', () => {
    const server = { SMTP_URL: 'smtps://user:pass@mail.example.com' };
    expect(refusalOf(server)).toMatch(/^MAIL_FROM is missing: /);
    for (const from of ['x12@example.com', 'X12 Studio <x12@example.com>']) {
      expect(read({ ...server, MAIL_FROM: from }).mail).toMatchObject({ smtpUrl: server.SMTP_URL, from });
    }
    expect(refusalOf({ SMTP_URL: 'http://mail', MAIL_FROM: 'a@b' })).toMatch('SMTP_URL has another scheme');
    expect(read({}).mail).toMatchObject({ smtpUrl: null, from: 'no-reply@localhost' });
  });

  it.each(['x12', 'a@b@c', 'a b@c', 'a@b, c@d', 'X12 <a@b', 'X12 <a@b> x', 'X\u0001 <a@b>', `${'a'.repeat(320)}@b`])(
    'refuse %j as a sender',
    (from) => {
      expect(refusalOf({ MAIL_FROM: from })).toMatch(/^MAIL_FROM is (not an e-mail address|too long): give/);
    },
  );

  it('take a public URL without path, user or query only', () => {
    expect(read({ PUBLIC_URL: 'https://api.example.com/' }).http.publicUrl).toBe('https://api.example.com');
    expect(refusalOf({ PUBLIC_URL: 'https://api.example.com/v2' })).toMatch('PUBLIC_URL has a path');
    expect(refusalOf({ PUBLIC_URL: 'https://api.example.com/?a' })).toMatch('PUBLIC_URL has a path');
    expect(refusalOf({ PUBLIC_URL: 'https://a:b@api.example.com' })).toMatch('PUBLIC_URL contains a user');
  });

  it.each([
    ['127.0.0.1', 'http://127.0.0.1:3000'],
    ['0.0.0.0', 'http://localhost:3000'],
    ['::', 'http://localhost:3000'],
    ['::1', 'http://[::1]:3000'],
    ['api-1.internal', 'http://api-1.internal:3000'],
  ])('on host %s have the public URL %s', (host, publicUrl) => {
    expect(read({ HOST: host }).http.publicUrl).toBe(publicUrl);
  });

  it.each(['a b', 'http://a', '1.2.3', '-a', 'a..b', `${'a'.repeat(64)}`])('refuse %j as a host', (host) => {
    expect(refusalOf({ HOST: host })).toMatch(/^HOST is neither/);
  });

  it('take hosts that may be fetched from as host:port, in lower case', () => {
    const { allowedHosts } = read({ FETCH_ALLOWED_HOSTS: 'Files.local:8080, 10.0.0.1:65535,[::1]:1' }).fetch;
    expect(allowedHosts).toEqual(['files.local:8080', '10.0.0.1:65535', '[::1]:1']);
    for (const entry of ['files.local', 'a:0', 'a:65536', '::1:80', '[127.0.0.1]:80', 'a:1,', 'http://a:1']) {
      expect(refusalOf({ FETCH_ALLOWED_HOSTS: entry })).toMatch(/^FETCH_ALLOWED_HOSTS has an entry/);
    }
  });

  it('takes former public addresses as URLs, separated by commas', () => {
    const { storage } = read({ FORMER_PUBLIC_URLS: 'http://old.example.com, https://cdn.example.com/x' });
    expect(storage.formerPublicUrls).toEqual(['http://old.example.com', 'https://cdn.example.com/x']);
    expect(read({}).storage.formerPublicUrls).toEqual([]);
    expect(refusalOf({ FORMER_PUBLIC_URLS: 'old.example.com' })).toMatch(/^FORMER_PUBLIC_URLS is not a URL/);
  });

  it('take trusted proxies as addresses and networks', () => {
    const { trustedProxies } = read({ TRUSTED_PROXIES: '10.0.0.0/8, ::1, fd00::/128' }).http;
    expect(trustedProxies).toEqual(['10.0.0.0/8', '::1', 'fd00::/128']);
    for (const entry of ['10.0.0.0/33', 'fd00::/129', '10.0.0', 'proxy', '10.0.0.0/8/8', '10.0.0.0/']) {
      expect(refusalOf({ TRUSTED_PROXIES: entry })).toMatch(/^TRUSTED_PROXIES has an entry/);
    }
  });

  it('take plans as JSON, with `free` among them', () => {
    const plans = '{"free":{"monthly_credits":0},"studio":{"monthly_credits":1000000000,"teams":true}}';
    expect(read({ PLANS: plans }).accounts.plans).toEqual({
      free: { id: 'free', monthlyCredits: 0, teams: false },
      studio: { id: 'studio', monthlyCredits: 1_000_000_000, teams: true },
    });
  });

  it.each([
    ['{', 'is not JSON'],
    ['[]', 'is not an object'],
    ['{"pro":{"monthly_credits":1}}', 'has no plan `free`'],
    ['{"free":{"monthly_credits":-1}}', 'has `monthly_credits` of the plan `free` outside'],
    ['{"free":{"monthly_credits":1000000001}}', 'has `monthly_credits` of the plan `free` outside'],
    ['{"free":{"monthly_credits":1.5}}', 'has no whole number as `monthly_credits`'],
    ['{"free":{"monthly_credits":1,"teams":"no"}}', 'has no true or false as `teams`'],
    ['{"free":7}', 'has no object for the plan `free`'],
    ['{"free":{"monthly_credits":1},"Big Plan":{"monthly_credits":1}}', 'has a plan whose name'],
  ])('refuse the plans %s', (plans, why) => {
    expect(refusalOf({ PLANS: plans })).toMatch(`PLANS ${why}`);
  });

  it('name every wrong variable, one line each, and never what stands in it', () => {
    const message = refusalOf({
      PORT: 'hunter2',
      STORAGE_SIGNING_SECRET: 'hunter2',
      DATABASE_URL: 'mysql://hunter2@db/x',
      PLANS: '{"free":"hunter2"}',
    });
    expect(message.split('\n').map((line) => line.split(' ')[0])).toEqual([
      'PORT',
      'DATABASE_URL',
      'STORAGE_SIGNING_SECRET',
      'PLANS',
    ]);
    expect(message).not.toContain('hunter2');
  });

  it('take a signing secret of 32 characters or more, and keep one in the data folder otherwise', () => {
    const secret = 'x'.repeat(32);
    expect(read({ STORAGE_SIGNING_SECRET: secret }).storage.signingSecret).toBe(secret);
    expect(refusalOf({ STORAGE_SIGNING_SECRET: 'x'.repeat(31) })).toMatch('is too short');
    expect(read({ DATA_DIR: '/srv/x12' }).storage.signingSecret).toBe('secret of /srv/x12/secrets/storage-signing');
  });

  it('keep no signing secret, and need no folder for it, where a bucket has the files', () => {
    const refuse = () => {
      throw new Error('read-only');
    };
    expect(readSettings({ S3_BUCKET: 'files' }, refuse).storage).toMatchObject({
      bucket: 'files',
      signingSecret: null,
    });
  });

  it('say that the data folder is not writable', () => {
    const unwritable = () => {
      throw Object.assign(new Error('EACCES: /srv/x12'), { code: 'EACCES' });
    };
    expect(() => readSettings({}, unwritable)).toThrow(/^DATA_DIR is not writable \(EACCES\): set/);
  });
});
