import type { Database } from '#adapters/postgres';
import type { RedisConnection } from '#adapters/redis';
import { isBucket } from '#adapters/storage';
import { secretKeys } from '#config';
import { systemClock } from '#kernel';
import { readCatalogue, readWholeCatalogue } from '../catalogue.ts';
import { vaultOf } from '../platform.module.ts';
import { storedUrlsOf } from '../file-urls.module.ts';
import { openStorage } from '../storage.module.ts';
import { checkApi } from './check-api.ts';
import { checkDisk } from './check-disk.ts';
import { catalogueChecks, fixedCatalogue } from './check-models.ts';
import { checkClock, checkDatabase, checkMail, checkPlans, checkQueue, checkRedis } from './check-services.ts';
import { checkProvenance } from './check-provenance.ts';
import { checkSecretKey } from './check-secret-key.ts';
import { checkStorage } from './check-storage.ts';
import type { Examined } from './examined.ts';
import { asSeenFromHere } from './seen-from-here.ts';
import { findings, Ill, type Check, type Finding } from './check.ts';

/** Checks all dependencies of the service in order. */
export async function examine(examined: Examined): Promise<readonly Finding[]> {
  return findings(await checksOf(examined));
}

async function checksOf(examined: Examined): Promise<Check[]> {
  const { settings, mail } = examined;
  const [database, redis] = await Promise.all([opening(examined.database()), opening(examined.redis())]);
  const isOnDisk = settings.storage.bucket === null || settings.database.url === null;
  return [
    ['settings', async () => `read and checked; clients reach the API at ${settings.http.publicUrl}`],
    ['api', () => checkApi(asSeenFromHere(settings))],
    ...('refusal' in database ? [closed('database', database)] : databaseChecks(database.opened, examined)),
    ...redisChecks(redis),
    ...(isOnDisk ? [['disk', () => checkDisk(settings)] as const] : []),
    ['storage', () => checkStorageFrom(examined)],
    ['mail', () => checkMail(mail, settings)],
    ['provenance', () => checkProvenance(settings, systemClock)],
    ...(await catalogueChecks(settings, async () =>
      'refusal' in database
        ? fixedCatalogue(readCatalogue(settings))
        : readWholeCatalogue(settings, database.opened, examined.sealer),
    )),
  ];
}

type Opening<T> = { readonly opened: T } | { readonly refusal: string };

/** An engine that can't be used is ill, and no reason to leave the others unexamined. */
async function opening<T>(part: Promise<T>): Promise<Opening<T>> {
  try {
    return { opened: await part };
  } catch (error) {
    return { refusal: error instanceof Error ? error.message : String(error) };
  }
}

function closed(name: string, { refusal }: { readonly refusal: string }): Check {
  const advice = 'start it, or correct its setting; what needs it was not examined';
  return [name, () => Promise.reject(new Ill(refusal, advice))];
}

function databaseChecks(database: Database, { settings, sealer }: Examined): Check[] {
  return [
    ['database', () => checkDatabase(database)],
    ['clock', () => checkClock(database)],
    ['queue', () => checkQueue(database)],
    ['secret key', () => checkSecretKey(vaultOf(sealer, database), secretKeys(settings))],
    ['plans', () => checkPlans(database, settings.accounts.plans)],
  ];
}

function redisChecks(redis: Opening<RedisConnection | null>): Check[] {
  if ('refusal' in redis) return [closed('redis', redis)];
  const { opened } = redis;
  return opened ? [['redis', () => checkRedis(opened)]] : [];
}

/** In a container, addresses for clients may lead to the container itself: then the service's own are checked. */
async function checkStorageFrom({ settings, storage }: Examined): Promise<string> {
  const seen = asSeenFromHere(settings);
  const opened = await opening(seen === settings ? storage() : openStorage(seen, systemClock));
  if ('refusal' in opened) throw new Ill(opened.refusal, 'see the settings of the storage');
  if (seen === settings) return checkStorage(opened.opened, storedUrlsOf(settings));
  try {
    return `${await checkStorage(opened.opened, storedUrlsOf(seen))}; checked from the service, not from where clients are`;
  } finally {
    if (isBucket(opened.opened)) opened.opened.close();
  }
}
