import { fileKey, partsOfFileKey } from './object-key.ts';

/** A base URL of files, current or former. */
interface Base {
  readonly origin: string;
  readonly path: string;
}

/** Makes the URLs of files for a response. */
export interface FileUrls {
  urlOf(key: string): string;
}

/**
 * URLs of stored files: `<base>/files/<token>/<file name>`. Records keep keys; a URL is made from a key when a response is
 * written, so a changed base changes every response. `WorkspaceUrls` makes the URLs of responses.
 */
export class StoredUrls {
  readonly #current: Base;
  readonly #api: Base;
  readonly #known: readonly Base[];

  /**
   * @param base absolute URL, with or without a path
   * @param former earlier base URLs; `keyOf` still recognises them
   * @param api base of URLs that the API serves
   */
  constructor(base: string, former: readonly string[] = [], api = base) {
    this.#current = baseOf(base);
    this.#api = baseOf(api);
    this.#known = [this.#current, this.#api, ...former.map(baseOf)];
  }

  /** The prefix of all URLs: `<base>/files/`. */
  get start(): string {
    return this.#current.origin + this.#current.path;
  }

  /** The URL that identifies a file, and opens it in a public workspace. */
  plainUrlOf(key: string): string {
    return this.start + pathOf(key);
  }

  /** The URL of a file with a signature or with options, which no bucket understands. */
  urlAtApi(key: string, query: string): string {
    return `${this.#api.origin}${this.#api.path}${pathOf(key)}?${query}`;
  }

  /** The URL of a file without query and fragment; any other text as it is. */
  identityOf(text: string): string {
    const key = this.keyOf(text);
    return key === null ? text : this.plainUrlOf(key);
  }

  /** The key of a URL of a file; `null` for any other URL. Query and fragment are ignored. */
  keyOf(url: string): string | null {
    const parsed = URL.parse(url);
    const base = this.#known.find(({ origin, path }) => parsed?.origin === origin && parsed.pathname.startsWith(path));
    return parsed && base ? fileKeyOfPath(parsed.pathname.slice(base.path.length)) : null;
  }
}

function pathOf(key: string): string {
  const parts = partsOfFileKey(key);
  if (!parts) throw new TypeError('only objects under files/ have a URL');
  return `${parts.token}/${encodeURIComponent(parts.filename)}`;
}

function baseOf(url: string): Base {
  const { origin, pathname } = new URL(url);
  return { origin, path: `${pathname.replace(/\/+$/, '')}/files/` };
}

/** The key of `<token>/<encoded file name>`; `null` for any text that is not the path of a file. */
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
