import { isBucket } from '#adapters/storage';
import type { Settings } from '#config';
import { systemClock } from '#kernel';
import { openStorage } from '#wiring';
import { databaseUrl } from '../session.ts';
import type { Saved } from './create.ts';

/** Runs `work` on the database and objects of the settings: external, or in the data folder. */
export async function withSaved<T>(settings: Settings, work: (saved: Saved) => Promise<T>): Promise<T> {
  const { data, storage } = settings;
  const opened = storage.bucket === null ? null : await openStorage(settings, systemClock);
  const bucket = opened && isBucket(opened) ? opened : null;
  try {
    return await work({ data, url: await databaseUrl(settings), bucket });
  } finally {
    bucket?.close();
  }
}
