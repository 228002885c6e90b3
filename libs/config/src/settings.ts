import { readPlans, readQuotas } from './plans.ts';
import {
  choice,
  claim,
  domain,
  flag,
  fraction,
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
  secretKey,
  type Setting,
  text,
  times,
  url,
} from './setting.ts';

const GIBIBYTE = 1024 ** 3;
const DAY = 86_400;
const PORTS = [1, 65_535] as const;

/** Every setting of the service, by group. `readSettings` and the documentation use this table. */
export const SETTINGS = {
  http: {
    host: host('HOST', { default: '127.0.0.1', describe: 'Address that the API listens on.' }),
    port: integer('PORT', PORTS, { default: 3000, describe: 'Port that the API listens on.' }),
    publicUrl: origin('PUBLIC_URL', ['http', 'https'], {
      shown: '`http://HOST:PORT`',
      describe: 'URL at which clients reach the API; the URLs in its responses start with it.',
    }),
    trustedProxies: list('TRUSTED_PROXIES', {
      entries: 'IP addresses or networks',
      entry: network,
      describe: 'Proxies whose `X-Forwarded-For` is trusted, so that limits count the address of the client.',
    }),
    maxBodyBytes: integer('MAX_BODY_BYTES', [65_536, 67_108_864], {
      default: 1_048_576,
      describe:
        'Maximum size of a request body; the bytes of uploads are not counted. Without a token a form or JSON has 16 KiB ' +
        'at most.',
    }),
    rateLimitPerMinute: integer('RATE_LIMIT_PER_MINUTE', [0, 1_000_000], {
      default: 600,
      describe: 'Requests a minute for each token, or for each address without a token; 0 for no limit.',
    }),
    signUpsPerMinute: integer('SIGNUPS_PER_MINUTE', [0, 1_000_000], {
      default: 10,
      describe: 'Sign-ups a minute for each address; 0, or 0 for `RATE_LIMIT_PER_MINUTE`, for no limit.',
    }),
    streamsPerUser: integer('STREAMS_PER_USER', [0, 10_000], {
      default: 50,
      describe: 'Event streams that an account may have open at a time, at each API process; 0 for no limit.',
    }),
    defaultImageModel: text('DEFAULT_IMAGE_MODEL', {
      default: 'local-image',
      describe: 'Model of the calls of `/v1/images` that name none; its id or alias.',
    }),
    imagesWaitSeconds: integer('IMAGES_WAIT_SECONDS', [1, 3600], {
      default: 300,
      describe: 'How long a call of `/v1/images` waits for its pictures.',
    }),
    idempotencyTtlSeconds: integer('IDEMPOTENCY_TTL_SECONDS', [60, 30 * DAY], {
      default: DAY,
      describe: 'How long the response to an `Idempotency-Key` is repeated.',
    }),
    drainSeconds: integer('DRAIN_SECONDS', [0, 300], {
      default: 0,
      describe:
        'How long an API that is told to stop still serves while `/health/serving` responds 503, so that proxies send ' +
        'new requests elsewhere; requests in flight then have as long again, and at least 3 seconds.',
    }),
  },
  metrics: {
    host: host('METRICS_HOST', {
      default: '127.0.0.1',
      describe: 'Address that serves `/metrics` when METRICS_PORT or WORKER_METRICS_PORT is set.',
    }),
    port: integer('METRICS_PORT', PORTS, {
      shown: 'on PORT',
      describe: 'Separate port for `/metrics` of the API, which is then not served on PORT.',
    }),
    workerPort: integer('WORKER_METRICS_PORT', PORTS, {
      shown: 'none',
      describe: 'Port for `/metrics` of the worker, on METRICS_HOST.',
    }),
  },
  traces: {
    endpoint: url('OTEL_EXPORTER_OTLP_ENDPOINT', ['http', 'https'], {
      shown: 'no traces',
      describe: 'OpenTelemetry collector that gets the traces, by OTLP over HTTP; `/v1/traces` is appended.',
    }),
    ratio: fraction('OTEL_TRACES_SAMPLER_ARG', {
      default: 1,
      describe: 'Part of the traces that is sent; a caller with a `traceparent` decides for its own.',
    }),
  },
  admin: {
    token: text('ADMIN_TOKEN', {
      shown: 'no dashboard, no reads',
      min: 32,
      describe: 'Password for the queue dashboard at `/admin/queues` and for the reads at `/admin/api`.',
    }),
  },
  console: {
    enabled: flag('CONSOLE_ENABLED', {
      default: true,
      describe: 'Whether the web console is served at `/console`, and the page of share links at `/s`.',
    }),
  },
  log: {
    level: choice('LOG_LEVEL', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
      default: 'info',
      describe: 'Lowest level that is logged.',
    }),
  },
  data: {
    folder: folder('DATA_DIR', {
      default: '.data',
      describe: 'Folder for the data of the embedded parts: database, files, mail, secrets, `demo.json`.',
    }),
  },
  secrets: {
    key: secretKey('SECRET_KEY', {
      shown: '`secrets/secret.key` in DATA_DIR, which `npm start` makes',
      describe:
        'Encrypts what the database keeps secret, such as the secrets of two-factor: `openssl rand -base64 32`. All APIs and workers ' +
        'share it. Keep a copy apart from the backups: without it nobody can read what it has encrypted.',
    }),
    previousKey: secretKey('PREVIOUS_SECRET_KEY', {
      shown: 'none',
      describe: 'The former SECRET_KEY: what it has encrypted can still be read, until `secret-key rotate` has run.',
    }),
  },
  backup: {
    schedule: times('BACKUP_SCHEDULE', {
      shown: 'no backups',
      describe: 'When backups are made in containers, such as `30 3 * * *` for half past three each night.',
    }),
    keep: integer('BACKUP_KEEP', [1, 1000], {
      default: 7,
      describe: 'How many of these backups are kept: older ones are deleted once a new one is verified.',
    }),
  },
  disk: {
    reserveBytes: integer('DISK_RESERVE_BYTES', [0, 1024 * GIBIBYTE], {
      default: 268_435_456,
      describe:
        'Bytes of the disk with the files in DATA_DIR that uploads and generations leave free, so that the database on ' +
        'it can go on; 0 for none.',
    }),
  },
  database: {
    url: url('DATABASE_URL', ['postgres', 'postgresql'], {
      shown: 'embedded',
      describe: 'PostgreSQL to use instead of the embedded one.',
    }),
    poolSize: integer('DATABASE_POOL_SIZE', [2, 200], {
      default: 10,
      describe: 'Maximum connections of each process, API or worker.',
    }),
    allowNewer: flag('ALLOW_NEWER_DATABASE', {
      default: false,
      describe:
        'Whether this version starts on a database that a newer one has migrated: for going back during an upgrade.',
    }),
  },
  redis: {
    url: url('REDIS_URL', ['redis', 'rediss'], {
      shown: 'in PostgreSQL',
      describe: 'Redis or Valkey for the queue and the rate limit, instead of PostgreSQL.',
    }),
  },
  storage: {
    bucket: text('S3_BUCKET', {
      shown: 'files in DATA_DIR',
      max: 255,
      describe:
        'Bucket for the files, instead of a folder; its credentials are `AWS_ACCESS_KEY_ID` and ' +
        '`AWS_SECRET_ACCESS_KEY`, or those that the AWS SDK finds elsewhere.',
    }),
    endpoint: url('S3_ENDPOINT', ['http', 'https'], { shown: 'AWS', describe: 'URL of an S3-compatible store.' }),
    publicEndpoint: url('S3_PUBLIC_ENDPOINT', ['http', 'https'], {
      shown: 'S3_ENDPOINT',
      describe: 'URL at which clients reach that store for signed uploads, when it differs.',
    }),
    publicUrl: url('S3_PUBLIC_URL', ['http', 'https'], {
      shown: 'the bucket',
      describe:
        'What the URLs of saved files start with, such as a CDN in front of the bucket. When you change it, name ' +
        'the former address in FORMER_PUBLIC_URLS.',
    }),
    filesServedBy: choice('FILES_SERVED_BY', ['bucket', 'api'], {
      default: 'bucket',
      describe:
        'What the URLs of saved files in a bucket lead to: the bucket, or the API, which then reads them from it.',
    }),
    formerPublicUrls: list('FORMER_PUBLIC_URLS', {
      entries: '`http` or `https` URLs',
      entry: httpUrl,
      describe:
        'Former values of PUBLIC_URL or S3_PUBLIC_URL: file URLs that start with one of them are still recognized.',
    }),
    region: text('S3_REGION', { default: 'us-east-1', max: 64, describe: 'Region of the bucket.' }),
    forcePathStyle: flag('S3_FORCE_PATH_STYLE', {
      default: false,
      describe: 'Puts the bucket in the path of URLs instead of the host name.',
    }),
    quotas: json('STORAGE_QUOTAS', {
      allowed: 'JSON with the bytes of plans, such as `{"free":5368709120}`',
      default: '{}',
      shown: 'no limit',
      read: readQuotas,
      describe:
        'How many bytes the files of a workspace may have, by plan; a plan that is not named has no limit. Beyond it ' +
        'uploads, imports and generations are refused. What is in the trash is not counted.',
    }),
    signingSecret: text('STORAGE_SIGNING_SECRET', {
      shown: 'generated, and kept in DATA_DIR',
      min: 32,
      describe:
        'Signs the URLs of private files, and the upload URLs of the disk store; API processes and workers on several ' +
        'machines must share it. With a bucket, private files need it.',
    }),
    fileUrlTtlSeconds: integer('FILE_URL_TTL_SECONDS', [300, 7 * DAY], {
      default: DAY,
      describe: 'How long the signed URLs of private files are valid, rounded up to the hour.',
    }),
  },
  provenance: {
    mode: choice('PROVENANCE', ['off', 'mark', 'sign'], {
      default: 'mark',
      describe:
        'What outputs say of themselves, in their bytes: nothing, that AI made them (XMP), or also a signed manifest ' +
        '(C2PA). Without a usable key `sign` is `mark`.',
    }),
    name: text('PROVENANCE_NAME', {
      default: 'x12',
      max: 100,
      describe: 'Name of the installation in the marks of outputs, and of the signer that `provenance init` makes.',
    }),
    label: text('PROVENANCE_LABEL', {
      default: 'AI-generated',
      max: 60,
      describe:
        'Text of the visible label on pictures, where a share, a download or a URL asks for `label` without a text.',
    }),
    keyFile: text('PROVENANCE_KEY_FILE', {
      shown: '`secrets/provenance.key` in DATA_DIR, which `provenance init` makes',
      describe: 'File with the private key that signs manifests, in PEM: P-256, P-384 or Ed25519.',
    }),
    certificateFile: text('PROVENANCE_CERTIFICATE_FILE', {
      shown: '`secrets/provenance.pem` in DATA_DIR',
      describe: 'File with the certificate of PROVENANCE_KEY_FILE in PEM, followed by those that lead to its root.',
    }),
    trustFile: text('PROVENANCE_TRUST_FILE', {
      shown: "the root of the service's own certificate",
      describe: 'File with the roots in PEM whose signers `provenance` calls trusted, beside the own root.',
    }),
  },
  uploads: {
    maxBytes: integer('MAX_UPLOAD_BYTES', [1, 1024 * GIBIBYTE], {
      default: 2 * GIBIBYTE,
      describe: 'Maximum size of an uploaded file.',
    }),
    metadata: choice('UPLOAD_METADATA', ['keep', 'strip'], {
      default: 'keep',
      describe:
        'Whether uploaded pictures keep their metadata, such as the GPS position, or lose it when they are finalized. With ' +
        '`strip` a picture may have MAX_MEDIA_BYTES at most; SVG, videos and models stay as they are.',
    }),
    urlTtlSeconds: integer('UPLOAD_URL_TTL_SECONDS', [1, 7 * DAY], {
      default: 3600,
      describe: 'How long a signed upload URL is valid.',
    }),
    tempFileTtlSeconds: integer('TEMP_FILE_TTL_SECONDS', [1, 365 * DAY], {
      default: 43_200,
      describe: 'How long a temporary file is kept after it is finalized.',
    }),
    deleteGraceDays: integer('DELETE_GRACE_DAYS', [0, 365], {
      default: 7,
      describe:
        'How long what people delete can be brought back; 0 for not at all. Its files answer 404 at once: their bytes ' +
        'are moved to a private place, and deleted after these days.',
    }),
    sweepIntervalSeconds: integer('SWEEP_INTERVAL_SECONDS', [1, DAY], {
      default: 60,
      describe: 'How often the worker looks for expired files and the like.',
    }),
  },
  transformations: {
    atOnce: integer('TRANSFORM_CONCURRENCY', [1, 64], {
      default: 2,
      describe:
        'How many pictures each API process transforms at a time, for URLs with options such as `?w=640`. Each takes ' +
        'one core and up to 200 MB of memory, a very large picture alone 400 MB; what is made is kept.',
    }),
  },
  auditLog: {
    days: integer('AUDIT_DAYS', [1, 36_500], { default: 400, describe: 'How long entries of the audit log are kept.' }),
  },
  mail: {
    smtpUrl: url('SMTP_URL', ['smtp', 'smtps'], {
      shown: '`*.eml` files in DATA_DIR',
      describe: 'Mail server, with user and password if it needs them, instead of files.',
    }),
    from: mailbox('MAIL_FROM', {
      shown: '`no-reply@localhost`, for files',
      describe: 'Sender of mail; required with SMTP_URL.',
    }),
    invitationUrl: url('INVITATION_URL', ['http', 'https'], {
      shown: 'the page of the console',
      describe: 'Your page where people respond to invitations; mails link to it with `#token=…` appended.',
    }),
  },
  fetch: {
    maxBytes: integer('MAX_MEDIA_BYTES', [1, GIBIBYTE], {
      default: 52_428_800,
      describe: 'Maximum size of a picture, video or model that is fetched from the URL of a client.',
    }),
    timeoutSeconds: integer('FETCH_TIMEOUT_SECONDS', [1, 600], {
      default: 30,
      describe: 'Timeout of such a fetch, including redirects.',
    }),
    allowedHosts: list('FETCH_ALLOWED_HOSTS', {
      entries: '`host:port` entries',
      entry: hostAndPort,
      describe: 'Hosts that may be fetched from although their address is private or their port unusual.',
    }),
  },
  accounts: {
    signupEnabled: flag('SIGNUP_ENABLED', { default: true, describe: 'Whether anyone may sign up.' }),
    emailVerification: choice('EMAIL_VERIFICATION', ['off', 'required'], {
      default: 'off',
      describe:
        'Whether a new account, which is mailed a link to confirm its address, can only read itself and answer ' +
        'invitations until then (`required`).',
    }),
    passwordLogin: flag('PASSWORD_LOGIN', {
      default: true,
      describe:
        'Whether people may log in by password, sign up and reset passwords; with `false` they sign in by OIDC_ISSUER, and ' +
        'operators by `users sign-in-link` too.',
    }),
    tokenTtlDays: integer('TOKEN_TTL_DAYS', [0, 3650], {
      default: 90,
      describe: 'Days that a token from sign-up or login is valid; 0 for no limit.',
    }),
    plans: json('PLANS', {
      allowed: 'JSON with a plan `free`, each plan with `monthly_credits` and `teams`',
      default:
        '{"free":{"monthly_credits":100,"teams":false},"pro":{"monthly_credits":2000,"teams":false},' +
        '"enterprise":{"monthly_credits":20000,"teams":true}}',
      read: readPlans,
      describe: 'The plans: credits a month, and whether they include the team endpoints.',
    }),
  },
  oidc: {
    issuer: url('OIDC_ISSUER', ['http', 'https'], {
      shown: 'no single sign-on',
      describe: 'Issuer of OpenID Connect by which people sign in, as its discovery document names it.',
    }),
    clientId: text('OIDC_CLIENT_ID', {
      shown: 'none',
      describe: 'Client of this service at the issuer; required with OIDC_ISSUER.',
    }),
    clientSecret: text('OIDC_CLIENT_SECRET', {
      shown: 'none, for a public client',
      describe: 'Secret of this client; it is sent in the body of requests to the issuer (`client_secret_post`).',
    }),
    name: text('OIDC_NAME', {
      default: 'single sign-on',
      max: 60,
      describe: 'Name of the issuer on the button of the sign-in page.',
    }),
    autoRegister: flag('OIDC_AUTO_REGISTER', {
      default: false,
      describe: 'Whether people whom the issuer knows and who have no account get one.',
    }),
    allowedDomains: list('OIDC_ALLOWED_DOMAINS', {
      entries: 'domains',
      entry: domain,
      describe: 'Domains of the e-mail addresses that may sign in by OIDC_ISSUER; without it all.',
    }),
    operatorClaim: claim('OIDC_OPERATOR_CLAIM', {
      shown: 'none',
      describe:
        'Claim of OIDC_ISSUER that makes a person an operator: a text, or a list with the value. Each sign-in by OIDC_ISSUER ' +
        'gives it and takes it; operators of `users operator` stay.',
    }),
  },
  models: {
    localVideo: choice('LOCAL_VIDEO', ['auto', 'always', 'never'], {
      default: 'auto',
      describe:
        'Whether the API offers the local video model: `auto` when its own machine has the codecs, `always` when ' +
        'the workers have them.',
    }),
    file: text('MODELS_FILE', {
      shown: 'the local models only',
      describe: 'YAML or JSON file with the catalogue of models and their providers (docs/generators.md).',
    }),
    stylePreviews: flag('STYLE_PREVIEWS', {
      default: false,
      describe:
        'Makes one picture with each new style, by the cheapest model of its family. It costs no credits; a vendor ' +
        'bills it.',
    }),
    replicateToken: text('REPLICATE_API_TOKEN', {
      shown: 'none',
      describe: 'API token of Replicate; makes a provider `replicate`.',
    }),
    replicateUrl: url('REPLICATE_BASE_URL', ['http', 'https'], {
      shown: 'of Replicate',
      describe: 'URL of the API of the provider `replicate`.',
    }),
    falKey: text('FAL_KEY', { shown: 'none', describe: 'API key of fal; makes a provider `fal`.' }),
    falUrl: url('FAL_BASE_URL', ['http', 'https'], {
      shown: 'of fal',
      describe: 'URL of the API of the provider `fal`.',
    }),
    openaiKey: text('OPENAI_API_KEY', {
      shown: 'none',
      describe: 'API key of OpenAI, or of a server that speaks its image API; makes a provider `openai`.',
    }),
    openaiUrl: url('OPENAI_BASE_URL', ['http', 'https'], {
      shown: 'of OpenAI',
      describe: 'URL of the API of the provider `openai`, up to and with `/v1`.',
    }),
    comfyuiUrl: url('COMFYUI_URL', ['http', 'https'], {
      shown: 'none',
      describe: 'URL of a ComfyUI server; makes a provider `comfyui`.',
    }),
  },
  worker: {
    concurrency: integer('WORKER_CONCURRENCY', [1, 64], {
      default: 4,
      describe: 'Jobs that one worker process runs at a time.',
    }),
    workspaceConcurrency: integer('WORKSPACE_CONCURRENCY', [1, 1024], {
      shown: 'fewer than one worker runs',
      describe: 'Jobs of one workspace that all workers together run at a time, of each queue.',
    }),
  },
} as const satisfies Record<string, Record<string, Setting<unknown>>>;

type Table = typeof SETTINGS;

/** The parsed variables, without the defaults that depend on several of them. */
export type ParsedSettings = {
  readonly [Group in keyof Table]: {
    readonly [Name in keyof Table[Group]]: Table[Group][Name] extends Setting<infer T> ? T : never;
  };
};
