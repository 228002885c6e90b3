import type { Type } from '@nestjs/common';
import { connectPostgres, type Database } from '#adapters/postgres';
import type { RedisConnection } from '#adapters/redis';
import { isBucket } from '#adapters/storage';
import { AesSealer } from '#adapters/secrets';
import { secretKeys, type Settings } from '#config';
import type { ObjectStorage } from '#files';
import { type Sealer, systemClock } from '#kernel';
import type { Mail } from '#mail';
import { openRedis, orStartError } from '../connections.module.ts';
import { mail, openMail } from '../mail.module.ts';
import type { OpenConnections } from '../open-connections.ts';
import { postgres, redis, sealer } from '../platform.ts';
import type { Token } from '../provide.ts';
import { objectStorage, openStorage } from '../storage.module.ts';

/** Parts that the doctor examines. A part that can't be opened rejects, and the others are examined nevertheless. */
export interface Examined {
  readonly settings: Settings;
  readonly sealer: Sealer;
  readonly mail: Mail;
  database(): Promise<Database>;
  /** `null` if PostgreSQL serves the queue. */
  redis(): Promise<RedisConnection | null>;
  storage(): Promise<ObjectStorage>;
}

/** The parts of a program that runs. */
export function partsOf(settings: Settings, get: <T>(what: Type<T> | Token<T>) => T): Examined {
  return {
    settings,
    sealer: get(sealer),
    mail: get(mail),
    database: async () => get(postgres).database,
    redis: async () => get(redis),
    storage: async () => get(objectStorage),
  };
}

/** Parts that are opened one by one, for a command. */
export function openParts(settings: Settings, urlOf: () => Promise<string>, opened: OpenConnections): Examined {
  const ignore = () => undefined;
  return {
    settings,
    sealer: new AesSealer(() => secretKeys(settings)),
    mail: openMail(settings),
    database: async () => {
      const url = await urlOf();
      const connection = await opened.add(connectPostgres(url, { poolSize: 2, onError: ignore }));
      await orStartError('DATABASE_URL', `PostgreSQL at ${new URL(url).host}`, connection.pool.query('select'));
      return connection.database;
    },
    redis: async () => (settings.redis.url === null ? null : opened.add(openRedis(settings.redis.url, ignore))),
    storage: async () => {
      const storage = await openStorage(settings, systemClock);
      return isBucket(storage) ? opened.add(storage) : storage;
    },
  };
}
