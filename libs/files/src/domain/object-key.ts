/** Key of the bytes of an upload before it is finalized. The signed URL of the upload writes to it. */
export function stagingKey(token: string): string {
  return `staging/${token}`;
}

/** Key of the bytes that one call of finalize checks; nothing is written to it once they are chosen. */
export function frozenKey(token: string, attempt: string): string {
  return `frozen/${token}.${attempt}`;
}

/** Key of a saved file. Its object is there, publicly readable, or at the private place of the key (`privatePlaceOf`). */
export function fileKey(token: string, filename: string): string {
  return `files/${token}/${filename}`;
}

/** Where the object of a file of a private workspace is; the file's key stays `files/…`. Other keys have no such place. */
export function privatePlaceOf(key: string): string {
  return key.replace(/^files\//, 'private/');
}

/** The inverse of `privatePlaceOf`; returns any other key unchanged. */
export function keyOfPlace(place: string): string {
  return place.replace(/^private\//, 'files/');
}

/** Where the object of a file is. */
export function placeOf({ key, isPrivate }: { readonly key: string; readonly isPrivate: boolean }): string {
  return isPrivate ? privatePlaceOf(key) : key;
}

/** Key of the bytes of a saved file that only the service reads; private. */
export function privateKey(token: string, filename: string): string {
  return `weights/${token}/${filename}`;
}

const PROBE = 'doctor-';

/** Key of a short-lived public object without a record, which tests whether the storage works. */
export function probeKey(id: string): string {
  return fileKey(PROBE + id, 'doctor.gltf');
}

export function isProbeKey(key: string): boolean {
  return partsOfFileKey(key)?.token.startsWith(PROBE) ?? false;
}

/** Key of the bytes of a deleted file in its grace period; private. */
export function keptKey(key: string): string {
  return `kept/${key.replace(/^files\//, '')}`;
}

/** Key of the zip of a person's data; private. */
export function exportKey(token: string): string {
  return `exports/${token}.zip`;
}

/** Key of an output that an operator makes to try a model; private, and as short-lived as an export. */
export function trialKey(token: string): string {
  return `exports/trial-${token}`;
}

/** The inverse of `keptKey`; returns any other key unchanged. */
export function unkeptKey(key: string): string {
  return key.replace(/^kept\/(?:(weights\/)|)/, (_, area?: string) => area ?? 'files/');
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
