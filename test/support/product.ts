import 'reflect-metadata';
import type { DynamicModule, ExistingProvider, FactoryProvider, Provider, Type, ValueProvider } from '@nestjs/common';
import { Registry } from 'prom-client';
import { ModelCatalog } from '#catalogue';
import { readSettings } from '#config';
import { Database } from '#adapters/postgres';
import type { ObjectStorage } from '#files';
import { noTracing, type Clock } from '#kernel';
import { RecordedAuditLog } from '#testing/audit-log';
import { InMemoryObjectStorage, storedKeys } from '#testing/files';
import { PlainPasswords } from '#testing/identity';
import { ManualClock, RecordedJobs } from '#testing/kernel';
import * as wiring from '#wiring';
import type { TestDatabase } from './database.ts';
import type { Lifeline } from './lifeline.ts';

type Key<T> = wiring.Token<T> | (abstract new (...args: never[]) => T);
type Made = FactoryProvider | ExistingProvider | ValueProvider;

interface Doubles<Time extends Clock> {
  readonly clock?: Time;
  readonly jobs?: RecordedJobs;
  readonly auditLog?: RecordedAuditLog;
  readonly storage?: ObjectStorage;
}

const SETTINGS = readSettings({ PUBLIC_URL: 'https://files.example.com', LOG_LEVEL: 'error' });
const isModule = (part: unknown) => typeof part === 'function' && Reflect.hasMetadata('providers', part);
const modules = Object.values(wiring).filter(isModule) as Type[];
const PROVIDERS = new Map(
  [...modules, wiring.PlatformModule.forRoot(SETTINGS, 'api')].flatMap(providersOf).map((each) => [each.provide, each]),
);

/**
 * The use cases and adapters of the product on a database, each connected as in `apps/wiring` and made when it is asked
 * for. The clock, the jobs, the audit log, the object storage and the hashes of passwords are doubles.
 */
export class Product<Time extends Clock = ManualClock> {
  readonly clock: Time;
  readonly jobs: RecordedJobs;
  readonly auditLog: RecordedAuditLog;
  readonly storage: ObjectStorage;
  readonly #made = new Map<unknown, unknown>();

  constructor({ database, pool }: Partial<TestDatabase>, doubles: Doubles<Time> = {}) {
    this.clock = doubles.clock ?? (new ManualClock() as Clock as Time);
    this.jobs = doubles.jobs ?? new RecordedJobs();
    this.auditLog = doubles.auditLog ?? new RecordedAuditLog();
    this.storage = doubles.storage ?? new InMemoryObjectStorage(this.clock);
    this.#made.set(wiring.postgres, { database, pool }).set(Database, database).set(Registry, new Registry());
    this.with(wiring.settings, SETTINGS).with(wiring.passwords, new PlainPasswords());
    this.with(wiring.clock, this.clock).with(wiring.jobs, this.jobs).with(wiring.auditLog, this.auditLog);
    this.with(wiring.objectPlaces, this.storage).with(wiring.models, new ModelCatalog([]));
    this.with(wiring.tracing, noTracing);
  }

  /** Forgets what was announced, recorded and stored. */
  async clear(): Promise<void> {
    this.jobs.announced.length = 0;
    this.auditLog.entries.length = 0;
    await this.storage.delete(await storedKeys(this.storage));
  }

  /** Replaces a part, for all that is made afterwards. */
  with<T>(key: Key<T>, part: Partial<T>): this {
    this.#made.set(key, part);
    return this;
  }

  /** Replaces parts by the same ones of a process that ends at a certain call of them. */
  mortal(lifeline: Pick<Lifeline, 'wrap'>, ...keys: readonly Key<object>[]): this {
    for (const key of keys) this.with<object>(key, lifeline.wrap(this.get(key)));
    return this;
  }

  /** A part of the product, or an adapter that needs only the database. */
  get<T>(key: Key<T>): T {
    if (!this.#made.has(key)) this.#made.set(key, this.#make(PROVIDERS.get(key), key));
    return this.#made.get(key) as T;
  }

  #make(provider: Made | undefined, key: unknown): unknown {
    if (!provider) return new (key as new (database: Database) => unknown)(this.get(Database));
    if ('useValue' in provider) return provider.useValue;
    if ('useExisting' in provider) return this.get(provider.useExisting as Key<unknown>);
    const made: unknown = provider.useFactory(...(provider.inject ?? []).map((each) => this.get(each as Key<unknown>)));
    if (made instanceof Promise) throw new Error(`${String(key)} is opened asynchronously: use a double`);
    return made;
  }
}

function providersOf(module: Type | DynamicModule): readonly Made[] {
  const [imports, providers] =
    'module' in module
      ? [[], module.providers ?? []]
      : [Reflect.getMetadata('imports', module) ?? [], Reflect.getMetadata('providers', module) ?? []];
  return [...(imports as Type[]).flatMap(providersOf), ...(providers as Provider[])] as Made[];
}
