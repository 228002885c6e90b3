import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { CronExpressionParser } from 'cron-parser';

/** One environment variable: its values and their parser. */
export interface Setting<T> {
  readonly variable: string;
  /** One sentence. */
  readonly description: string;
  /** The allowed values as Markdown, to follow "give" in an error message. */
  readonly allowed: string;
  /** The default as Markdown; `null` when there is none. */
  readonly shownDefault: string | null;
  /** The value when the variable is absent or empty. */
  readonly absent: T;
  /** @throws Refusal */
  parse(text: string): T;
}

/** The reason to refuse a value. Never contains the value, which may be a secret. */
export class Refusal extends Error {}

interface Description {
  readonly describe: string;
  /** The default as Markdown, if `default` does not show it. */
  readonly shown?: string;
}

/** A description with the default, as an operator would write it. */
interface WithDefault<D> extends Description {
  readonly default: D;
}

/** Without a default, an absent variable gives `null`. */
function setting<T, D = null>(
  variable: string,
  options: Description & { readonly default?: D },
  allowed: string,
  parse: (text: string) => T,
): Setting<D extends null ? T | null : T> {
  const { default: value, shown = value === undefined ? null : `\`${value}\`` } = options;
  const absent = value === undefined ? null : parse(String(value));
  const made: Setting<T | null> = {
    variable,
    description: options.describe,
    allowed,
    shownDefault: shown,
    absent,
    parse,
  };
  return made as Setting<D extends null ? T | null : T>;
}

/** A whole number within a closed range. */
export function integer<D extends number | null = null>(
  variable: string,
  [min, max]: readonly [min: number, max: number],
  options: Description & { readonly default?: D },
) {
  return setting(variable, options, `a whole number from ${min} to ${max}`, (text) => {
    if (!/^-?\d+$/.test(text)) throw new Refusal('is not a whole number');
    const value = Number(text);
    if (value < min) throw new Refusal('is too small');
    if (value > max) throw new Refusal('is too large');
    return value;
  });
}

/** A number from 0 to 1. */
export function fraction(variable: string, options: WithDefault<number>) {
  return setting(variable, options, 'a number from 0 to 1', (text) => {
    if (!/^\d*\.?\d+$/.test(text)) throw new Refusal('is not a number');
    if (Number(text) > 1) throw new Refusal('is too large');
    return Number(text);
  });
}

export function flag(variable: string, options: WithDefault<boolean>) {
  return setting(variable, options, '`true` or `false`', (text) => {
    if (text === 'true') return true;
    if (text === 'false') return false;
    throw new Refusal('is neither `true` nor `false`');
  });
}

export function choice<const T extends string>(
  variable: string,
  among: readonly T[],
  options: WithDefault<NoInfer<T>>,
) {
  const allowed = `one of ${among.map((one) => `\`${one}\``).join(', ')}`;
  return setting(variable, options, allowed, (text) => {
    const found = among.find((one) => one === text);
    if (found === undefined) throw new Refusal('is not an allowed value');
    return found;
  });
}

/** Any text of a length in characters. */
export function text<D extends string | null = null>(
  variable: string,
  options: Description & { readonly default?: D; readonly min?: number; readonly max?: number },
) {
  const { min = 1, max = 1024 } = options;
  return setting(variable, options, `${min} to ${max} characters`, (value) => {
    if (value.length < min) throw new Refusal('is too short');
    if (value.length > max) throw new Refusal('is too long');
    return value;
  });
}

/** 32 bytes in base64. */
export function secretKey(variable: string, options: Description) {
  return setting(variable, options, '32 random bytes in base64', (value) => {
    if (!/^[\w+/-]{43}=?$/.test(value)) throw new Refusal('is no key of 32 bytes');
    return value;
  });
}

/** The path of a folder, parsed to an absolute path. */
export function folder(variable: string, options: WithDefault<string>) {
  return setting(variable, options, 'the path of a folder', (value) => {
    if (value.includes('\0')) throw new Refusal('contains a NUL character');
    return resolve(value);
  });
}

/** A URL of one of these schemes. */
export function url(variable: string, schemes: readonly string[], options: Description) {
  return setting(variable, options, `a URL ${patterns(schemes)}`, (value) => checkedUrl(value, schemes));
}

/** A URL of scheme, host and port only, parsed to the form without a trailing slash. */
export function origin(variable: string, schemes: readonly string[], options: Description) {
  return setting(variable, options, `a URL ${patterns(schemes)} without a path`, (value) => {
    const parsed = parseUrl(value, schemes);
    if (parsed.username || parsed.password) throw new Refusal('contains a user name or password');
    if (parsed.pathname !== '/' || parsed.search || parsed.hash) throw new Refusal('has a path, a query or a fragment');
    return parsed.origin;
  });
}

/** The name or address of a network interface to listen on. */
export function host(variable: string, options: WithDefault<string>) {
  return setting(variable, options, 'a host name or IP address', (value) => {
    if (!isHost(value)) throw new Refusal('is neither a host name nor an IP address');
    return value;
  });
}

/** The sender of mail: `address`, or `Name <address>`. */
export function mailbox(variable: string, options: Description) {
  return setting(variable, options, 'an e-mail address, or `Name <address>`', (value) => {
    if (value.length > 320) throw new Refusal('is too long');
    if (!/^(?:[^\s@<>,;:"]+@[^\s@<>,;:"]+|[^@<>,;:"\p{Cc}]+ <[^\s@<>,;:"]+@[^\s@<>,;:"]+>)$/u.test(value)) {
      throw new Refusal('is not an e-mail address');
    }
    return value;
  });
}

/** A claim of an issuer and its value, separated by the first `=`. */
export function claim(variable: string, options: Description) {
  return setting(variable, options, '`claim=value`, such as `roles=operator`', (given) => {
    if (given.length > 1024) throw new Refusal('is too long');
    const [, name, value] = /^([^=]+)=(.+)$/.exec(given) ?? [];
    if (name === undefined || value === undefined) throw new Refusal('is not a claim and its value');
    if (/^\s|\s$|\p{Cc}/u.test(name) || /^\s|\p{Cc}/u.test(value)) throw new Refusal('has a blank beside the `=`');
    return { name, value };
  });
}

/**
 * Entries separated by commas; none when absent.
 *
 * @param options.entries the name of the entries, in the plural
 */
export function list<T>(
  variable: string,
  options: { readonly describe: string; readonly entries: string; readonly entry: (text: string) => T },
): Setting<readonly T[]> {
  const parse = (value: string) => value.split(',').map((entry) => options.entry(entry.trim()));
  const allowed = `${options.entries}, separated by commas`;
  return { variable, description: options.describe, allowed, shownDefault: null, absent: [], parse };
}

/** A schedule of `cron`: five fields, in UTC. */
export function times(variable: string, options: Description) {
  return setting(variable, options, 'five fields as of cron, in UTC', (value) => {
    if (value.split(/\s+/).length !== 5) throw new Refusal('has not five fields');
    try {
      CronExpressionParser.parse(value);
    } catch {
      throw new Refusal('has a field that cron does not know');
    }
    return value;
  });
}

/** JSON of a shape that `read` checks. */
export function json<T>(
  variable: string,
  options: WithDefault<string> & { readonly allowed: string; readonly read: (value: unknown) => T },
) {
  return setting(variable, options, options.allowed, (value) => options.read(parseJson(value)));
}

function patterns(schemes: readonly string[]): string {
  return schemes.map((scheme) => `\`${scheme}://…\``).join(' or ');
}

function parseUrl(value: string, schemes: readonly string[]): URL {
  const parsed = URL.parse(value);
  if (!parsed) throw new Refusal('is not a URL');
  if (!schemes.includes(parsed.protocol.slice(0, -1))) throw new Refusal('has another scheme');
  if (!parsed.hostname) throw new Refusal('has no host');
  return parsed;
}

function parseJson(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    throw new Refusal('is not JSON');
  }
}

function checkedUrl(value: string, schemes: readonly string[]): string {
  parseUrl(value, schemes);
  return value;
}

export function httpUrl(value: string): string {
  return checkedUrl(value, ['http', 'https']);
}

/** A domain of e-mail addresses, in lower case. */
export function domain(value: string): string {
  if (!/^(?:[\p{L}\p{M}\p{N}-]{1,63}\.)+[\p{L}\p{M}\p{N}-]{1,63}$/u.test(value)) {
    throw new Refusal('has an entry that is no domain, such as `example.com`');
  }
  return value.toLowerCase();
}

/** `host:port` in lower case, an IPv6 address in brackets. */
export function hostAndPort(value: string): string {
  const match = /^(?:\[([^\]]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(value);
  const [, v6, name, port] = match ?? [];
  const known = v6 === undefined ? name !== undefined && isHost(name) : isIP(v6) === 6;
  if (!known || Number(port) < 1 || Number(port) > 65_535) {
    throw new Refusal('has an entry that is not `host:port`');
  }
  return `${v6 === undefined ? name : `[${v6}]`}:${Number(port)}`.toLowerCase();
}

/** An IP address, or a network in CIDR notation. */
export function network(value: string): string {
  const [address = '', prefix, ...rest] = value.split('/');
  const version = isIP(address);
  const bits = version === 4 ? 32 : 128;
  const validPrefix = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits);
  if (version === 0 || rest.length > 0 || !validPrefix)
    throw new Refusal('has an entry that is neither an IP address nor a network like `10.0.0.0/8`');
  return value;
}

function isHost(value: string): boolean {
  if (isIP(value)) return true;
  const isName = /^(?!-)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*$/i.test(value);
  return isName && value.length <= 253 && !/^[\d.]+$/.test(value);
}
