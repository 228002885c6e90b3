import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  PostgresGenerations,
  PostgresGenerationSignals,
  PostgresGenerationViews,
  PostgresPersonaSlots,
  PostgresUnitOfWork,
} from '#adapters/postgres';
import { cancel, succeed } from '#generation';
import {
  aGenerationRequest,
  generationsContract,
  generationSignalsContract,
  generationViewsContract,
  personaSlotsContract,
  type GenerationWorld,
  type PersonaSlotsSetting,
} from '#testing/generation';
import { createDatabase, type TestDatabase } from '../support/database.ts';

const at = new Date('2026-03-14T10:00:00Z');
const storage = { publicUrl: (key: string) => `https://store.test/${key}` };

async function insert(db: TestDatabase, sql: string, values: unknown[] = []): Promise<number> {
  return (await db.database.one<{ id: number }>(`${sql} returning id`, values))!.id;
}

const addWorkspace = (db: TestDatabase): Promise<number> =>
  insert(db, `insert into workspaces (kind, plan, created_at) values ('personal', 'free', now())`);
const addUser = (db: TestDatabase, email: string): Promise<number> =>
  insert(db, 'insert into users (email, created_at) values ($1, now())', [email]);
const addMembership = (db: TestDatabase, workspaceId: number, userId: number) =>
  db.database.query(
    `insert into memberships (workspace_id, user_id, is_team, role, joined_at) values ($1, $2, false, 'owner', now())`,
    [workspaceId, userId],
  );
const addPersona = (db: TestDatabase, workspaceId: number, userId: number): Promise<number> =>
  insert(
    db,
    `insert into personas (workspace_id, created_by, name, created_at, updated_at) values ($1, $2, 'P', now(), now())`,
    [workspaceId, userId],
  );
const addFile = (db: TestDatabase, workspaceId: number, personaId: number, key: string): Promise<number> =>
  insert(
    db,
    `insert into files (workspace_id, persona_id, origin, key, filename, size, content_type, created_at)
     values ($1, $2, 'upload', $3, 'f.png', 1, 'image/png', now())`,
    [workspaceId, personaId, key],
  );

function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

interface PostgresWorld {
  readonly db: TestDatabase;
  readonly world: GenerationWorld;
  readonly signals: PostgresGenerationSignals;
  close(): Promise<void>;
}

async function openWorld(): Promise<PostgresWorld> {
  const db = await createDatabase();
  const [workspaceId, otherWorkspaceId] = [await addWorkspace(db), await addWorkspace(db)];
  const userId = await addUser(db, 'one@example.com');
  await addMembership(db, workspaceId, userId);
  const personaId = await addPersona(db, workspaceId, userId);
  const fileIds: number[] = [];
  for (const name of ['a', 'b', 'c']) {
    fileIds.push(await addFile(db, workspaceId, personaId, `files/${name}.png`));
  }
  const signals = new PostgresGenerationSignals(db.pool);
  const world: GenerationWorld = {
    generations: new PostgresGenerations(db.database),
    views: new PostgresGenerationViews(db.database, storage),
    signals,
    unitOfWork: new PostgresUnitOfWork(db.database),
    workspaceId,
    otherWorkspaceId,
    userId,
    personaId,
    fileIds,
  };
  const close = async (): Promise<void> => {
    await signals.close();
    await db.drop();
  };
  return { db, world, signals, close };
}

generationsContract('PostgreSQL', openWorld);
generationViewsContract('PostgreSQL', openWorld);
generationSignalsContract('PostgreSQL', openWorld);

describe('generations on PostgreSQL', () => {
  let db: TestDatabase;
  let world: GenerationWorld;
  let close: () => Promise<void>;
  beforeAll(async () => ({ db, world, close } = await openWorld()));
  afterAll(() => close());

  const add = () => {
    const { workspaceId, userId, personaId } = world;
    return world.generations.add(aGenerationRequest({ workspaceId, userId, personaId }));
  };

  it('are held: what would end one waits, and then finds it ended', async () => {
    const { generations, unitOfWork, fileIds } = world;
    const running = (await generations.claim((await add()).id, 1, at))!;
    const output = { fileId: fileIds[0]!, contentType: 'image/png', width: 8, height: 8, duration: null };
    const order: string[] = [];
    const held = gate();
    const canceling = unitOfWork.run(async () => {
      await generations.hold(running.id);
      held.open();
      await sleep(50);
      expect(await generations.save(cancel(running, at))).toBe(true);
      order.push('cancel');
    });
    await held.opened;
    const saved = await generations.save(succeed(running, [output], at));
    order.push('finish');
    await canceling;
    expect(saved).toBe(false);
    expect(order).toEqual(['cancel', 'finish']);
  });

  it('are read with all outputs by who waited for the end', async () => {
    const { generations, unitOfWork, fileIds } = world;
    const running = (await generations.claim((await add()).id, 1, at))!;
    const output = { fileId: fileIds[0]!, contentType: 'image/png', width: 8, height: 8, duration: null };
    const saved = gate();
    const finishing = unitOfWork.run(async () => {
      await generations.save(succeed(running, [output], at));
      saved.open();
      await sleep(50);
    });
    await saved.opened;
    expect(await unitOfWork.run(() => generations.hold(running.id))).toEqual(succeed(running, [output], at));
    await finishing;
  });

  it('show no outputs whose files are gone', async () => {
    const { generations, views, workspaceId, personaId } = world;
    const running = (await generations.claim((await add()).id, 1, at))!;
    const keys = ['files/kept.png', 'files/gone.png'];
    const fileIds = await Promise.all(keys.map((key) => addFile(db, workspaceId, personaId, key)));
    const picture = { contentType: 'image/png', width: 8, height: 8, duration: null };
    await generations.save(
      succeed(
        running,
        fileIds.map((fileId) => ({ fileId, ...picture })),
        at,
      ),
    );
    await db.database.query('delete from files where id = $1', [fileIds[1]]);
    const { outputs } = await views.get(workspaceId, running.id);
    expect(outputs.map((output) => output.url)).toEqual(['https://store.test/files/kept.png']);
  });
});

describe('generation signals on PostgreSQL', () => {
  let db: TestDatabase;
  let world: GenerationWorld;
  let signals: PostgresGenerationSignals;
  let close: () => Promise<void>;
  beforeAll(async () => ({ db, world, signals, close } = await openWorld()));
  afterAll(() => close());

  const add = () => {
    const { workspaceId, userId, personaId } = world;
    return world.generations.add(aGenerationRequest({ workspaceId, userId, personaId }));
  };
  const eventually = async (condition: () => boolean): Promise<void> => {
    for (let wait = 0; !condition() && wait < 500; wait++) await sleep(10);
    expect(condition()).toBe(true);
  };

  it('come back after the connection was lost, and say that some may be missing', async () => {
    const queued = await add();
    const told: unknown[] = [];
    const stop = await signals.watch(queued.id, (change) => told.push(change));
    await db.database.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and query like 'listen %'`,
    );
    await eventually(() => told.includes('missed'));
    await world.generations.save(cancel(queued, at));
    await eventually(() => told.length === 2);
    expect(told).toEqual(['missed', { state: 'canceled', progress: 0 }]);
    stop();
  });

  it('are told of what another process commits, and only once it is committed', async () => {
    const queued = await add();
    const elsewhere = new PostgresGenerationSignals(db.pool);
    const told: unknown[] = [];
    await elsewhere.watch(queued.id, (change) => told.push(change));
    await world.unitOfWork.run(async () => {
      await world.generations.save(cancel(queued, at));
      await sleep(50);
      expect(told).toEqual([]);
    });
    await eventually(() => told.length === 1);
    await elsewhere.close();
  });

  it('can not be watched once they are closed', async () => {
    const closed = new PostgresGenerationSignals(db.pool);
    await closed.close();
    await expect(closed.watch(1, () => undefined)).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('take one connection, however many watch', async () => {
    const stops = await Promise.all(
      Array.from({ length: 20 }, (_, id) => signals.watch(id, () => undefined)),
    );
    const row = await db.database.one<{ count: number }>(
      `select count(*) from pg_stat_activity where datname = current_database() and query like 'listen %'`,
    );
    expect(row!.count).toBe(1);
    for (const stop of stops) stop();
  });
});

async function openSlots(): Promise<
  PersonaSlotsSetting & { readonly db: TestDatabase; readonly unitOfWork: PostgresUnitOfWork }
> {
  const { db, world, close } = await openWorld();
  const { workspaceId } = world;
  let made = 0;
  return {
    db,
    unitOfWork: new PostgresUnitOfWork(db.database),
    slots: new PostgresPersonaSlots(db.database, storage),
    workspaceId,
    otherWorkspaceId: world.otherWorkspaceId,
    newUser: () => addUser(db, `user-${++made}@example.com`),
    newPersona: (of, userId) => addPersona(db, of, userId),
    deletePersona: async (personaId) => {
      await db.database.query('update personas set deleted_at = now() where id = $1', [personaId]);
    },
    fill: async (personaId, slot, stored) => {
      const given = `https://else.test/${++made}.png`;
      const key = `files/slot-${made}.png`;
      const fileId = stored ? await addFile(db, workspaceId, personaId, key) : null;
      await insert(
        db,
        `insert into trainings (workspace_id, persona_id, slot, source_url, picture_version, file_id, state, created_at)
         values ($1, $2, $3, $4, 1, $5, $6, now())`,
        [workspaceId, personaId, slot, given, fileId, stored ? 'processed' : 'created'],
      );
      return { url: stored ? storage.publicUrl(key) : given, fileId };
    },
    close,
  };
}

personaSlotsContract('PostgreSQL', openSlots);

describe('persona slots on PostgreSQL', () => {
  let setting: Awaited<ReturnType<typeof openSlots>>;
  beforeAll(async () => (setting = await openSlots()));
  afterAll(() => setting.close());

  /** Whether somebody else could delete the row now. */
  const isFree = async (table: 'files' | 'personas', id: number): Promise<boolean> => {
    const { rows } = await setting.db.pool.query(
      `select id from ${table} where id = $1 for update skip locked`,
      [id],
    );
    return rows.length === 1;
  };

  it('keep the records of the persona and the files until the unit of work ends', async () => {
    const { slots, unitOfWork, workspaceId, newUser, newPersona, fill } = setting;
    const userId = await newUser();
    const personaId = await newPersona(workspaceId, userId);
    const { fileId } = await fill(personaId, 1, true);
    await unitOfWork.run(async () => {
      await slots.of(workspaceId, personaId);
      expect(await isFree('files', fileId!)).toBe(false);
      expect(await isFree('personas', personaId)).toBe(false);
    });
    expect(await isFree('files', fileId!)).toBe(true);
    await unitOfWork.run(async () => {
      await slots.firstOf(workspaceId, userId);
      expect(await isFree('personas', personaId)).toBe(false);
    });
    expect(await isFree('personas', personaId)).toBe(true);
  });
});
