import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { ObjectHeaders, ObjectInfo } from '#files';

/** The first parts of keys; each has a folder of its own. */
export const AREAS = ['exports', 'files', 'frozen', 'kept', 'private', 'staging', 'weights'] as const;
export type Area = (typeof AREAS)[number];

/** The location of an object. File names consist of hashes, never of user input. */
export interface ObjectLocation {
  readonly area: Area;
  /** Hexadecimal SHA-256 of the key. The objects of an area are listed in this order. */
  readonly hash: string;
  readonly folder: string;
  /** The file of the record. */
  readonly record: string;
}

/**
 * The files of the store:
 *
 *     incoming/<version>                 bytes and records that are being written
 *     <area>/<hash, 2>/<hash>.json       the record of an object
 *     <area>/<hash, 2>/<hash>.<version>  its bytes, which never change: new bytes get a new version
 */
export class DiskLayout {
  readonly incoming: string;

  constructor(readonly root: string) {
    this.incoming = join(root, 'incoming');
  }

  place(key: string): ObjectLocation {
    const area = AREAS.find((each) => key.startsWith(`${each}/`));
    if (!area) throw new TypeError(`keys start with one of ${AREAS.join(', ')}`);
    return this.placeOf(area, createHash('sha256').update(key).digest('hex'));
  }

  placeOf(area: Area, hash: string): ObjectLocation {
    const folder = join(this.root, area, hash.slice(0, 2));
    return { area, hash, folder, record: join(folder, `${hash}.json`) };
  }

  blob(place: ObjectLocation, version: string): string {
    return join(place.folder, `${place.hash}.${version}`);
  }

  newIncoming(now: Date): string {
    return join(this.incoming, newVersion(now));
  }
}

/** Folders of an area. */
export const SHARDS = 256;
/** Folders of all areas. */
export const FOLDERS = AREAS.length * SHARDS;
/** A round through all folders takes at most 96 turns: eight hours with a turn each five minutes. */
const LEAST_FOLDERS = FOLDERS / 96;
/** Maximum files of a turn. There are two for each object, so one turn is a round for up to ten thousand objects. */
const ENOUGH_FILES = 25_000;

/** Reports whether a turn of tidying ends after so many folders and files. */
export function isTurnOver(folders: number, files: number): boolean {
  return folders >= FOLDERS || (folders >= LEAST_FOLDERS && files >= ENOUGH_FILES);
}

/** A unique version that contains its time. */
export function newVersion(now: Date): string {
  return `${now.getTime().toString(36)}-${randomBytes(8).toString('hex')}`;
}

export function timeOfVersion(version: string): Date {
  return new Date(parseInt(version, 36));
}

/** The record beside an object's bytes on the disk. */
export interface ObjectRecord extends ObjectInfo {
  /** Names the file of the bytes. */
  readonly version: string;
  readonly headers: ObjectHeaders;
}

/** `null` for a record that a power cut left incomplete. */
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
