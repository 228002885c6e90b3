/** @tier test */
import { describe, expect, it } from '@jest/globals';
import { migratePostgres, NewerDatabase } from '#adapters/postgres';
import { describeRelease, freePort, RELEASE, StartError } from '#process';
import { Api } from '../../apps/api/src/api.ts';
import { useService } from '../support/use-service.ts';

const service = useService({}, { worker: false });

async function startAnother(allowNewer: boolean): Promise<Api> {
  const { http, database, ...rest } = service.settings;
  const port = (await freePort())!;
  return Api.start({ ...rest, http: { ...http, port }, database: { ...database, allowNewer } });
}

describe('an API on a database of another version', () => {
  it('is not ready, and gets no requests, until the migrations of its version have run', async () => {
    const { database } = service;
    const last = (await database.one<{ name: string }>('select name from migrations order by id desc limit 1'))!;
    await database.query('update migrations set name = $1 where name = $2', ['not this one', last.name]);
    const ready = await service.call('GET', '/health/ready');
    expect(ready.status).toBe(503);
    expect(ready.body).toMatchObject({
      code: 'unavailable',
      message: 'database lacks migrations of this version: run `npm run migrate`',
    });
    expect(ready.body.checks).toContainEqual(expect.objectContaining({ name: 'database', state: 'outdated' }));
    expect((await fetch(`${service.baseUrl}/health/serving`)).status).toBe(503);

    await database.query('update migrations set name = $2 where name = $1', ['not this one', last.name]);
    expect((await service.call('GET', '/health/ready')).status).toBe(200);
    expect((await fetch(`${service.baseUrl}/health/serving`)).status).toBe(200);
  });

  it('does not start after a newer version has migrated it, and names both versions and the migration', async () => {
    const { database } = service;
    await database.query("insert into migrations (name) values ('2999-01-01-of-the-future')");
    await database.query("comment on table migrations is 'migrated by x12 99.1.0 (abc1234)'");
    const own = describeRelease(RELEASE);
    const sentence = `migrated by version 99.1.0 (abc1234), and this is version ${own}, which lacks 2999-01-01-of-the-future`;
    const refused = await startAnother(false).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(StartError);
    expect((refused as Error).message).toContain(sentence);

    const migration = await migratePostgres(database, own).catch((error: unknown) => error);
    expect(migration).toBeInstanceOf(NewerDatabase);
    expect((migration as Error).message).toContain(sentence);
    // An API that ran before goes on: both versions serve during an upgrade.
    expect((await service.call('GET', '/health/ready')).status).toBe(200);

    await (await startAnother(true)).stop();
  });
});
