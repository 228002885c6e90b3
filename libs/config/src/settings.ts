import { readPlans } from './plans.ts';
import {
  choice,
  flag,
  folder,
  host,
  hostAndPort,
  httpUrl,
  integer,
  json,
  list,
  mailbox,
  network,
  origin,
  type Setting,
  text,
  url,
} from './setting.ts';

const GIBIBYTE = 1024 ** 3;
const DAY = 86_400;

/** Every setting of the service, by group. What reads the environment, and the documentation, follow from it. */
export const SETTINGS = {
  http: {
    host: host('HOST', { default: '127.0.0.1', describe: 'Address that the API listens on.' }),
    port: integer('PORT', { min: 1, max: 65_535, default: 3000, describe: 'Port that the API listens on.' }),
    publicUrl: origin('PUBLIC_URL', ['http', 'https'], {
      default: null,
      shown: '`http://HOST:PORT`',
      describe: 'Where clients reach the API; the URLs it hands out start with it.',
    }),
    trustedProxies: list('TRUSTED_PROXIES', {
      of: 'IP addresses or networks',
      entry: network,
      describe: "Proxies whose `X-Forwarded-For` is believed, so that limits count the client's own address.",
    }),
    maxBodyBytes: integer('MAX_BODY_BYTES', {
      min: 65_536,
      max: 67_108_864,
      default: 1_048_576,
      describe: 'Largest request body; file bytes go to the storage and are not counted.',
    }),
    rateLimitPerMinute: integer('RATE_LIMIT_PER_MINUTE', {
      min: 0,
      max: 1_000_000,
      default: 600,
      describe:
        'Requests a minute for each token, or address where there is no token; 0 switches the limit off.',
    }),
    idempotencyTtlSeconds: integer('IDEMPOTENCY_TTL_SECONDS', {
      min: 60,
      max: 30 * DAY,
      default: DAY,
      describe: 'How long the answer to an `Idempotency-Key` is replayed.',
    }),
  },
  metrics: {
    host: host('METRICS_HOST', {
      default: '127.0.0.1',
      describe: 'Address of `/metrics` where METRICS_PORT gives it a port of its own.',
    }),
    port: integer('METRICS_PORT', {
      min: 1,
      max: 65_535,
      default: null,
      shown: 'on PORT',
      describe: 'Port of its own for `/metrics`, which is then gone from the public one.',
    }),
    workerPort: integer('WORKER_METRICS_PORT', {
      min: 1,
      max: 65_535,
      default: null,
      shown: 'none',
      describe: "Port of the worker's own `/metrics`, on METRICS_HOST.",
    }),
  },
  admin: {
    token: text('ADMIN_TOKEN', {
      default: null,
      shown: 'no dashboard',
      min: 32,
      describe: 'Opens the queue dashboard at `/admin/queues` to operators.',
    }),
  },
  log: {
    level: choice('LOG_LEVEL', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
      default: 'info',
      describe: 'Least severe log line that is written.',
    }),
  },
  data: {
    folder: folder('DATA_DIR', {
      default: '.data',
      describe: 'Folder of everything the embedded parts keep: database, files, mail, secrets, `demo.json`.',
    }),
  },
  database: {
    url: url('DATABASE_URL', ['postgres', 'postgresql'], {
      default: null,
      shown: 'embedded',
      describe: 'PostgreSQL to use in place of the embedded one.',
    }),
    poolSize: integer('DATABASE_POOL_SIZE', {
      min: 2,
      max: 200,
      default: 10,
      describe: 'Connections that each process, API or worker, holds at most.',
    }),
  },
  redis: {
    url: url('REDIS_URL', ['redis', 'rediss'], {
      default: null,
      shown: 'in PostgreSQL',
      describe: 'Redis or Valkey for the queue and the rate limit, in place of PostgreSQL.',
    }),
  },
  storage: {
    bucket: text('S3_BUCKET', {
      default: null,
      shown: 'files in DATA_DIR',
      max: 255,
      describe:
        'Bucket that holds the files, in place of a folder; credentials are the standard `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`, or where else the SDK of AWS finds them.',
    }),
    endpoint: url('S3_ENDPOINT', ['http', 'https'], {
      default: null,
      shown: 'AWS',
      describe: 'Address of an S3-compatible store.',
    }),
    publicEndpoint: url('S3_PUBLIC_ENDPOINT', ['http', 'https'], {
      default: null,
      shown: 'S3_ENDPOINT',
      describe: 'Address at which clients reach that store with signed upload URLs, where it is another one.',
    }),
    publicUrl: url('S3_PUBLIC_URL', ['http', 'https'], {
      default: null,
      shown: 'the bucket',
      describe:
        'What the URLs of saved files start with, such as a CDN in front of the bucket. When you change it, name the former address in FORMER_PUBLIC_URLS.',
    }),
    formerPublicUrls: list('FORMER_PUBLIC_URLS', {
      of: '`http` or `https` URLs',
      entry: httpUrl,
      describe:
        'Former values of PUBLIC_URL or S3_PUBLIC_URL: file URLs that start with one of them are still recognised.',
    }),
    region: text('S3_REGION', { default: 'us-east-1', max: 64, describe: 'Region of the bucket.' }),
    forcePathStyle: flag('S3_FORCE_PATH_STYLE', {
      default: false,
      describe: 'Puts the bucket into the path of URLs instead of the host name.',
    }),
    signingSecret: text('STORAGE_SIGNING_SECRET', {
      default: null,
      shown: 'made, and kept in DATA_DIR',
      min: 32,
      describe: 'Signs the upload URLs of the disk store; API processes on several machines must share it.',
    }),
  },
  uploads: {
    maxBytes: integer('MAX_UPLOAD_BYTES', {
      min: 1,
      max: 1024 * GIBIBYTE,
      default: 2 * GIBIBYTE,
      describe: 'Largest file that can be uploaded.',
    }),
    urlTtlSeconds: integer('UPLOAD_URL_TTL_SECONDS', {
      min: 1,
      max: 7 * DAY,
      default: 3600,
      describe: 'How long a signed upload URL works.',
    }),
    tempFileTtlSeconds: integer('TEMP_FILE_TTL_SECONDS', {
      min: 1,
      max: 365 * DAY,
      default: 43_200,
      describe: 'How long a temporary file lives after it was finalized.',
    }),
    sweepIntervalSeconds: integer('SWEEP_INTERVAL_SECONDS', {
      min: 1,
      max: DAY,
      default: 60,
      describe: 'How often the worker looks for what is due, such as expired files.',
    }),
  },
  mail: {
    smtpUrl: url('SMTP_URL', ['smtp', 'smtps'], {
      default: null,
      shown: '`*.eml` files in DATA_DIR',
      describe: 'Mail server, with user and password where it asks for them, in place of files.',
    }),
    from: mailbox('MAIL_FROM', {
      default: null,
      shown: '`no-reply@localhost`, for files',
      describe: 'Sender of mail; it has to be given with SMTP_URL.',
    }),
    invitationUrl: url('INVITATION_URL', ['http', 'https'], {
      default: null,
      shown: 'none',
      describe:
        'Page of your own where people answer invitations; the mail links to it with `#token=…` at the end.',
    }),
  },
  fetch: {
    maxBytes: integer('MAX_MEDIA_BYTES', {
      min: 1,
      max: GIBIBYTE,
      default: 52_428_800,
      describe: 'Largest picture, video or model that is fetched from a URL that a client gave.',
    }),
    timeoutSeconds: integer('FETCH_TIMEOUT_SECONDS', {
      min: 1,
      max: 600,
      default: 30,
      describe: 'Time within which such a fetch must be done, redirects included.',
    }),
    allowedHosts: list('FETCH_ALLOWED_HOSTS', {
      of: '`host:port` entries',
      entry: hostAndPort,
      describe: 'What may be fetched from although it is a private address or an unusual port.',
    }),
  },
  accounts: {
    signupEnabled: flag('SIGNUP_ENABLED', { default: true, describe: 'Whether anyone may sign up.' }),
    tokenTtlDays: integer('TOKEN_TTL_DAYS', {
      min: 0,
      max: 3650,
      default: 90,
      describe: 'Days that a token from signing up or in lasts; 0 for no end.',
    }),
    plans: json('PLANS', {
      of: 'JSON with a plan `free`, each plan with `monthly_credits` and `teams`',
      default:
        '{"free":{"monthly_credits":100,"teams":false},"pro":{"monthly_credits":2000,"teams":false},"enterprise":{"monthly_credits":20000,"teams":true}}',
      read: readPlans,
      describe: 'The plans: credits a month, and whether team endpoints are open.',
    }),
  },
  models: {
    localVideo: choice('LOCAL_VIDEO', ['auto', 'always', 'never'], {
      default: 'auto',
      describe:
        'Whether the API offers the local video model: `auto` where its own machine has the codecs, `always` where the workers have them.',
    }),
  },
  worker: {
    concurrency: integer('WORKER_CONCURRENCY', {
      min: 1,
      max: 64,
      default: 4,
      describe: 'Jobs that one worker process runs at a time.',
    }),
  },
} as const satisfies Record<string, Record<string, Setting<unknown>>>;

type Table = typeof SETTINGS;

/** What the variables hold, before what depends on several of them is filled in. */
export type ParsedSettings = {
  readonly [Group in keyof Table]: {
    readonly [Name in keyof Table[Group]]: Table[Group][Name] extends Setting<infer T> ? T : never;
  };
};

type Filled<Group extends keyof Table, Name extends keyof ParsedSettings[Group]> = Omit<
  ParsedSettings[Group],
  Name
> & { readonly [N in Name]: NonNullable<ParsedSettings[Group][N]> };

/** What lies where in the data folder. */
export interface DataSettings {
  readonly folder: string;
  /** What the embedded PostgreSQL keeps. */
  readonly postgres: string;
  /** The disk store. */
  readonly files: string;
  /** Mail that would have been sent, as `*.eml`. */
  readonly mail: string;
  readonly secrets: string;
  /** Address and tokens of the demo. */
  readonly demo: string;
}

/** Every setting, checked; nothing in it can be changed. */
export type Settings = Omit<ParsedSettings, 'http' | 'data' | 'storage' | 'mail'> & {
  readonly http: Filled<'http', 'publicUrl'>;
  readonly data: DataSettings;
  readonly mail: Filled<'mail', 'from'>;
  readonly storage:
    | (Filled<'storage', 'signingSecret'> & { readonly bucket: null })
    | (ParsedSettings['storage'] & { readonly bucket: string });
};

export type HttpSettings = Settings['http'];
export type MetricsSettings = Settings['metrics'];
export type LogSettings = Settings['log'];
export type DatabaseSettings = Settings['database'];
export type StorageSettings = Settings['storage'];
export type UploadSettings = Settings['uploads'];
export type MailSettings = Settings['mail'];
export type FetchSettings = Settings['fetch'];
export type AccountSettings = Settings['accounts'];
export type WorkerSettings = Settings['worker'];
