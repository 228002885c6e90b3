import type { Type } from '@nestjs/common';
import type { Settings } from '#config';
import { StoredUrls } from '#files';
import { mail } from '../mail.module.ts';
import { postgres, redis } from '../platform.ts';
import type { Token } from '../provide.ts';
import { objectStorage } from '../storage.module.ts';
import { catalogueChecks } from './check-models.ts';
import { checkClock, checkDatabase, checkMail, checkQueue, checkRedis } from './check-services.ts';
import { checkStorage } from './check-storage.ts';
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
    ['database', () => checkDatabase(connection)],
    ['clock', () => checkClock(database)],
    ['queue', () => checkQueue(database)],
    ...(memory ? [['redis', () => checkRedis(memory)] as const] : []),
    ['storage', () => checkStorage(get(objectStorage), get(StoredUrls))],
    ['mail', () => checkMail(get(mail), settings)],
    ...catalogueChecks(settings),
  ];
}
