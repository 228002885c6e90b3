import { readFileSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { join } from 'node:path';
import { pathsIn } from './data-paths.ts';
import { folderRefusal } from './folders.ts';
import { keepSecret } from './keep-secret.ts';
import { Refusal, type Setting } from './setting.ts';
import { type ParsedSettings, SETTINGS } from './settings.ts';

type Filled<Group extends keyof ParsedSettings, Name extends keyof ParsedSettings[Group]> = Omit<
  ParsedSettings[Group],
  Name
> & { readonly [N in Name]: NonNullable<ParsedSettings[Group][N]> };

/** Every setting, checked and frozen. */
export type Settings = Omit<ParsedSettings, 'http' | 'data' | 'storage' | 'mail'> & {
  readonly http: Filled<'http', 'publicUrl'>;
  readonly data: Readonly<ReturnType<typeof pathsIn>>;
  readonly mail: Filled<'mail', 'from'>;
  /** All variables that are not empty: the catalogue of models names those with keys. */
  readonly environment: Readonly<Record<string, string>>;
  readonly storage:
    | (Filled<'storage', 'signingSecret'> & { readonly bucket: null })
    | (ParsedSettings['storage'] & {
        readonly bucket: string;
        /** When they are given by files; the AWS SDK finds others itself. */
        readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
      });
};

/** Invalid settings. The message has one line for each wrong variable, without its value. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

/** Secrets of the catalogue's providers, which are not in the table. The AWS SDK has variables like `…_TOKEN_FILE`. */
const OTHER_SECRET = /^(?!AWS_)\w*(TOKEN|KEY|SECRET|PASSWORD)$/;
const S3_KEYS = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'] as const;

/**
 * Reads and checks every setting. An empty variable counts as absent. `X_FILE` names a file with the value of `X`.
 *
 * @param env the environment
 * @param secretIn reads the secret in a file, and generates it if the file is missing
 * @throws SettingsError
 */
export function readSettings(
  env: Readonly<Record<string, string | undefined>>,
  secretIn: (file: string) => string = keepSecret,
): Settings {
  const environment = environmentOf(env);
  const parsed = parse(environment);
  if (parsed.metrics.port === parsed.http.port) {
    throw new SettingsError('METRICS_PORT is the same as PORT: give another port, or none for `/metrics` on PORT');
  }
  if (parsed.secrets.previousKey !== null && parsed.secrets.key === null) {
    throw new SettingsError('PREVIOUS_SECRET_KEY is given without SECRET_KEY: give both');
  }
  if (parsed.oidc.issuer !== null && parsed.oidc.clientId === null) {
    throw new SettingsError(
      'OIDC_CLIENT_ID is missing: OIDC_ISSUER is given, so give the client of this service there',
    );
  }
  const unknown = Object.keys(parsed.storage.quotas).find((plan) => !Object.hasOwn(parsed.accounts.plans, plan));
  if (unknown !== undefined) {
    throw new SettingsError(`STORAGE_QUOTAS has a plan \`${unknown}\`: give only plans that PLANS has`);
  }
  const data = pathsIn(parsed.data.folder);
  return deepFreeze({
    ...parsed,
    http: { ...parsed.http, publicUrl: parsed.http.publicUrl ?? localUrl(parsed.http) },
    data,
    mail: { ...parsed.mail, from: senderOf(parsed.mail) },
    storage: storageOf(parsed.storage, environment, () => keptSecret(data, secretIn)),
    environment,
  });
}

function parse(given: Settings['environment']): ParsedSettings {
  const refusals: string[] = [];
  const read = (setting: Setting<unknown>): unknown => {
    const text = given[setting.variable];
    if (text === undefined) return setting.absent;
    try {
      return setting.parse(text);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refusals.push(`${setting.variable} ${error.message}: give ${setting.allowed}`);
      return undefined;
    }
  };
  const groups = Object.entries<Record<string, Setting<unknown>>>(SETTINGS).map(([group, settings]) => [
    group,
    Object.fromEntries(Object.entries(settings).map(([name, setting]) => [name, read(setting)])),
  ]);
  if (refusals.length > 0) throw new SettingsError(refusals.join('\n'));
  return Object.fromEntries(groups) as ParsedSettings;
}

/** The variables that are not empty, including those that `_FILE` variables name. */
function environmentOf(env: Readonly<Record<string, string | undefined>>): Settings['environment'] {
  const given = Object.entries(env).map(([name, value = '']) => [name, value.trim()] as const);
  const present = given.filter(([, value]) => value !== '');
  const settings = new Set(Object.values(SETTINGS).flatMap((group) => Object.values(group).map((one) => one.variable)));
  const isFile = (name: string) => {
    const variable = name.replace(/_FILE$/, '');
    const isKnown = settings.has(variable) || OTHER_SECRET.test(variable) || S3_KEYS.some((key) => key === variable);
    // PROVENANCE_KEY_FILE is a setting itself: a key that is missing stops nothing.
    return variable !== name && isKnown && !settings.has(name);
  };
  const fromFiles = present
    .filter(([name]) => isFile(name))
    .map(([name, path]) => [name.replace(/_FILE$/, ''), contentOf(name, path)] as const);
  return Object.fromEntries([...present, ...fromFiles]);
}

function contentOf(variable: string, path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new SettingsError(`${variable} cannot be read (${code}): give a file that the service may read`);
  }
}

/** The URL at which this machine reaches a server that listens on `host`. */
function localUrl({ host, port }: { readonly host: string; readonly port: number }): string {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : isIPv6(host) ? `[${host}]` : host;
  return new URL(`http://${name}:${port}`).origin;
}

/** A mail server accepts only known senders; files accept any. */
function senderOf({ smtpUrl, from }: ParsedSettings['mail']): string {
  if (smtpUrl !== null && from === null) {
    throw new SettingsError('MAIL_FROM is missing: SMTP_URL is given, so give an e-mail address of yours');
  }
  return from ?? 'no-reply@localhost';
}

/** URLs of a bucket are signed with its credentials; the disk store has its own secret. */
function storageOf(
  parsed: ParsedSettings['storage'],
  environment: Settings['environment'],
  secret: () => string,
): Settings['storage'] {
  const { bucket } = parsed;
  if (bucket === null) return { ...parsed, bucket, signingSecret: parsed.signingSecret ?? secret() };
  // Without files, the SDK finds the credentials itself.
  if (!S3_KEYS.some((key) => `${key}_FILE` in environment)) return { ...parsed, bucket };
  const missing = S3_KEYS.find((key) => !(key in environment));
  if (missing) throw new SettingsError(`${missing} is missing: the other key of the bucket is given by file`);
  const [accessKeyId, secretAccessKey] = S3_KEYS.map((key) => environment[key]!) as [string, string];
  return { ...parsed, bucket, credentials: { accessKeyId, secretAccessKey } };
}

function keptSecret({ folder, secrets }: Settings['data'], secretIn: (file: string) => string): string {
  try {
    return secretIn(join(secrets, 'storage-signing'));
  } catch (error) {
    throw new SettingsError(folderRefusal(folder, error));
  }
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(deepFreeze);
  return value;
}
