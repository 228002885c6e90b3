import { fileKey, partsOfFileKey } from './object-key.ts';

/** The public URLs of objects under `files/`: `<base>/files/<token>/<file name>`. */
export class StoredUrls {
  readonly #origin: string;
  readonly #path: string;

  /** @param base absolute URL, with or without a path */
  constructor(base: string) {
    const { origin, pathname } = new URL(base);
    this.#origin = origin;
    this.#path = `${pathname.replace(/\/+$/, '')}/files/`;
  }

  urlOf(key: string): string {
    const parts = partsOfFileKey(key);
    if (!parts) throw new TypeError('only objects under files/ have a public URL');
    return `${this.#origin}${this.#path}${parts.token}/${encodeURIComponent(parts.filename)}`;
  }

  /** Query and fragment are ignored: they don't change what is served. */
  keyOf(url: string): string | null {
    if (!URL.canParse(url)) return null;
    const { origin, pathname } = new URL(url);
    if (origin !== this.#origin || !pathname.startsWith(this.#path)) return null;
    return fileKeyOfPath(pathname.slice(this.#path.length));
  }
}

/** The key that `<token>/<encoded file name>` stands for; `null` for anything that `urlOf` never makes. */
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
