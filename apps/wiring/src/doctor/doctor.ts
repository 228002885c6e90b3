import type { Type } from '@nestjs/common';
import { isBucket } from '#adapters/storage';
import { secretKeys, type Settings } from '#config';
import { StoredUrls } from '#files';
import { Vault } from '#kernel';
import { mail } from '../mail.module.ts';
import { clock, postgres, redis } from '../platform.ts';
import type { Token } from '../provide.ts';
import { objectStorage, openStorage, storedUrlsOf } from '../storage.module.ts';
import { catalogueChecks } from './check-models.ts';
import { checkClock, checkDatabase, checkMail, checkPlans, checkQueue, checkRedis } from './check-services.ts';
import { checkSecretKey } from './check-secret-key.ts';
import { checkStorage } from './check-storage.ts';
import { asSeenFromHere } from './seen-from-here.ts';
import { findings, type Check, type Finding } from './check.ts';

/** A program's settings and providers, those of the mail and the storage among them. */
export interface Examined {
  readonly settings: Settings;
  get<T>(what: Type<T> | Token<T>): T;
}

/** Checks everything that the service depends on, one after the other. */
export function examine(service: Examined): Promise<readonly Finding[]> {
  return findings(checksOf(service));
}

function checksOf({ settings, get }: Examined): Check[] {
  const connection = get(postgres);
  const { database } = connection;
  const memory = get(redis);
  return [
    ['settings', async () => `read and checked; clients reach the API at ${settings.http.publicUrl}`],
    ['database', () => checkDatabase(connection.database)],
    ['clock', () => checkClock(database)],
    ['queue', () => checkQueue(database)],
    ['secret key', () => checkSecretKey(get(Vault), secretKeys(settings))],
    ['plans', () => checkPlans(database, settings.accounts.plans)],
    ...(memory ? [['redis', () => checkRedis(memory)] as const] : []),
    ['storage', () => checkStorageFrom(settings, get)],
    ['mail', () => checkMail(get(mail), settings)],
    ...catalogueChecks(settings),
  ];
}

/** In a container the addresses of clients may lead to the container itself: then those of the service are checked. */
async function checkStorageFrom(settings: Settings, get: Examined['get']): Promise<string> {
  const seen = asSeenFromHere(settings);
  if (seen === settings) return checkStorage(get(objectStorage), get(StoredUrls));
  const storage = await openStorage(seen, get(clock));
  try {
    return `${await checkStorage(storage, storedUrlsOf(seen))}; seen from here, not from where clients are`;
  } finally {
    if (isBucket(storage)) storage.close();
  }
}
