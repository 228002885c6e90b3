import { join } from 'node:path';
import { isIPv6 } from 'node:net';
import { keepSecret } from './keep-secret.ts';
import { Refusal, type Setting } from './setting.ts';
import { type DataSettings, type ParsedSettings, SETTINGS, type Settings } from './settings.ts';

/** Settings that the service can't start with: one line for each wrong variable, none with its value. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

/**
 * Reads and checks every setting. An empty variable counts as absent.
 *
 * @param env the environment
 * @param secretIn gives the secret that is kept in a file, making it the first time
 * @throws SettingsError
 */
export function readSettings(
  env: Readonly<Record<string, string | undefined>>,
  secretIn: (file: string) => string = keepSecret,
): Settings {
  const parsed = parse(env);
  const data = layOut(parsed.data.folder);
  return deepFreeze({
    ...parsed,
    http: { ...parsed.http, publicUrl: parsed.http.publicUrl ?? localUrl(parsed.http) },
    data,
    mail: { ...parsed.mail, from: senderOf(parsed.mail) },
    storage: storageOf(parsed.storage, () => keptSecret(data.secrets, secretIn)),
  });
}

function parse(env: Readonly<Record<string, string | undefined>>): ParsedSettings {
  const refusals: string[] = [];
  const read = (setting: Setting<unknown>): unknown => {
    const text = env[setting.variable]?.trim() ?? '';
    if (text === '') return setting.absent;
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

function layOut(folder: string): DataSettings {
  return {
    folder,
    postgres: join(folder, 'postgres'),
    files: join(folder, 'files'),
    mail: join(folder, 'mail'),
    secrets: join(folder, 'secrets'),
    demo: join(folder, 'demo.json'),
  };
}

/** Where this machine reaches what listens on `host`. */
function localUrl({ host, port }: { readonly host: string; readonly port: number }): string {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : isIPv6(host) ? `[${host}]` : host;
  return new URL(`http://${name}:${port}`).origin;
}

/** A mail server takes only mail from a sender it knows; for files, any will do. */
function senderOf({ smtpUrl, from }: ParsedSettings['mail']): string {
  if (smtpUrl !== null && from === null) {
    throw new SettingsError('MAIL_FROM is missing: SMTP_URL is given, so give an e-mail address of yours');
  }
  return from ?? 'no-reply@localhost';
}

/** A bucket is signed for with its credentials: only the folder needs a secret of ours, and a place to keep it. */
function storageOf(parsed: ParsedSettings['storage'], secret: () => string): Settings['storage'] {
  const { bucket } = parsed;
  if (bucket !== null) return { ...parsed, bucket };
  return { ...parsed, bucket, signingSecret: parsed.signingSecret ?? secret() };
}

function keptSecret(secrets: string, secretIn: (file: string) => string): string {
  try {
    return secretIn(join(secrets, 'storage-signing'));
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    throw new SettingsError(`DATA_DIR can not be written to (${reason}): give a folder that can be`);
  }
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(deepFreeze);
  return value;
}
