import type { Type } from '@nestjs/common';
import { isBucket } from '#adapters/storage';
import { secretKeys, type Settings } from '#config';
import { StoredUrls } from '#files';
import { Vault } from '#kernel';
import { mail } from '../mail.module.ts';
import { readWholeCatalogue } from '../catalogue.ts';
import { clock, postgres, redis, sealer } from '../platform.ts';
import type { Token } from '../provide.ts';
import { objectStorage, openStorage, storedUrlsOf } from '../storage.module.ts';
import { catalogueChecks } from './check-models.ts';
import { checkClock, checkDatabase, checkMail, checkPlans, checkQueue, checkRedis } from './check-services.ts';
import { checkSecretKey } from './check-secret-key.ts';
import { checkStorage } from './check-storage.ts';
import { asSeenFromHere } from './seen-from-here.ts';
import { findings, type Check, type Finding } from './check.ts';

/** The settings and providers of a program, which must include mail and storage. */
export interface Examined {
  readonly settings: Settings;
  get<T>(what: Type<T> | Token<T>): T;
}

/** Checks all dependencies of the service in order. */
export async function examine(service: Examined): Promise<readonly Finding[]> {
  return findings(await checksOf(service));
}

async function checksOf({ settings, get }: Examined): Promise<Check[]> {
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
    ...(await catalogueChecks(settings, () => readWholeCatalogue(settings, database, get(sealer)))),
  ];
}

/** In a container, addresses for clients may lead to the container itself: then the service's own are checked. */
async function checkStorageFrom(settings: Settings, get: Examined['get']): Promise<string> {
  const seen = asSeenFromHere(settings);
  if (seen === settings) return checkStorage(get(objectStorage), get(StoredUrls));
  const storage = await openStorage(seen, get(clock));
  try {
    return `${await checkStorage(storage, storedUrlsOf(seen))}; checked from the service, not from where clients are`;
  } finally {
    if (isBucket(storage)) storage.close();
  }
}
