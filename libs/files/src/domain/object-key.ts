/** Where the bytes of an upload are before it is finalized. Whoever has the signed URL can write there. */
export function stagingKey(token: string): string {
  return `staging/${token}`;
}

/** A key that nobody can write twice, for the bytes that one call of finalize looks at. */
export function frozenKey(token: string, attempt: string): string {
  return `frozen/${token}.${attempt}`;
}

/** Where the bytes of a saved file are; anyone can read there. */
export function fileKey(token: string, filename: string): string {
  return `files/${token}/${filename}`;
}

/** The parts of a key that `fileKey` makes; `null` for any other key. */
export function partsOfFileKey(key: string): { readonly token: string; readonly filename: string } | null {
  const [, token, filename] = /^files\/([^/]+)\/([^/]+)$/.exec(key) ?? [];
  return token && filename ? { token, filename } : null;
}

/** The token in a key of any kind. */
export function tokenOfKey(key: string): string {
  return /^[^/]+\/([^/.]*)/.exec(key)?.[1] ?? '';
}
