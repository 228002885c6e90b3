import { fileKey, partsOfFileKey } from './object-key.ts';

/** A base URL of files, current or former. */
interface Base {
  readonly origin: string;
  readonly path: string;
}

/**
 * The public URLs of stored files: `<base>/files/<token>/<file name>`. Records keep keys; a URL is made from a key
 * when a response is written, so a changed base changes every response.
 */
export class StoredUrls {
  readonly #current: Base;
  readonly #known: readonly Base[];

  /**
   * @param base absolute URL, with or without a path
   * @param former earlier base URLs; `keyOf` still recognises them
   */
  constructor(base: string, former: readonly string[] = []) {
    this.#current = baseOf(base);
    this.#known = [this.#current, ...former.map(baseOf)];
  }

  /** The prefix of all URLs: `<base>/files/`. */
  get start(): string {
    return this.#current.origin + this.#current.path;
  }

  urlOf(key: string): string {
    const parts = partsOfFileKey(key);
    if (!parts) throw new TypeError('only objects under files/ have a public URL');
    return `${this.start}${parts.token}/${encodeURIComponent(parts.filename)}`;
  }

  /** The key of a URL made by `urlOf`; `null` for any other URL. Query and fragment are ignored. */
  keyOf(url: string): string | null {
    const parsed = URL.parse(url);
    const base = this.#known.find(({ origin, path }) => parsed?.origin === origin && parsed.pathname.startsWith(path));
    return parsed && base ? fileKeyOfPath(parsed.pathname.slice(base.path.length)) : null;
  }
}

function baseOf(url: string): Base {
  const { origin, pathname } = new URL(url);
  return { origin, path: `${pathname.replace(/\/+$/, '')}/files/` };
}

/** The key of `<token>/<encoded file name>`; `null` for any text that `urlOf` never makes. */
export function fileKeyOfPath(path: string): string | null {
  const [, token, encoded] = /^([\w-]+)\/([^/]+)$/.exec(path) ?? [];
  if (!token || !encoded) return null;
  const filename = decoded(encoded)?.normalize('NFC');
  if (!filename || /[/\\]|\p{Cc}|^\./u.test(filename)) return null;
  return fileKey(token, filename);
}

function decoded(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}
