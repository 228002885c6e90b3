import type { ObjectHeaders, ObjectInfo } from '#files';

/** What stands beside an object's bytes on the disk. */
export interface ObjectRecord extends ObjectInfo {
  /** Names the file of the bytes. */
  readonly version: string;
  readonly headers: ObjectHeaders;
}

export function writeRecord(record: ObjectRecord): string {
  return JSON.stringify(record);
}

/** `null` for what a power cut left of a record. */
export function readRecord(text: string): ObjectRecord | null {
  try {
    const record = JSON.parse(text) as ObjectRecord;
    const { expiresAt } = record.headers;
    return {
      ...record,
      modifiedAt: new Date(record.modifiedAt),
      headers: { ...record.headers, ...(expiresAt && { expiresAt: new Date(expiresAt) }) },
    };
  } catch {
    return null;
  }
}

/** What is told of an object outside. */
export function infoOf({ key, size, etag, modifiedAt }: ObjectRecord): ObjectInfo {
  return { key, size, etag, modifiedAt };
}
