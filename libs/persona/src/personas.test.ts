import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock, RecordedJobs } from '#testing/kernel';
import { createDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { personaStoresOn, training, type PersonaStores } from '../../../test/support/persona-stores.ts';
import { Personas } from './personas.ts';

describe('personas', () => {
  let db: TestDatabase;
  let stores: PersonaStores;
  beforeAll(async () => {
    db = await createDatabase();
    stores = personaStoresOn(db.database);
  });
  afterAll(() => db.drop());

  let clock: ManualClock;
  let jobs: RecordedJobs;
  let personas: Personas;
  let ada: { workspaceId: number; userId: number };
  beforeEach(async () => {
    clock = new ManualClock();
    jobs = new RecordedJobs();
    personas = new Personas(stores.personas, jobs, stores.unitOfWork, clock);
    ada = await stores.newWorkspace();
  });
  const read = (id: number) => stores.views.persona(ada.workspaceId, id);

  it('change in what is given', async () => {
    const { id } = await personas.create(ada, { name: 'Ada', title: 'Countess', knows: 'engines' });
    clock.advance(60);
    await personas.update(ada.workspaceId, id, { name: ' Ada King ', knows: null });
    const updated = { name: 'Ada King', title: 'Countess', knows: null, updatedAt: clock.now() };
    expect(await read(id)).toMatchObject(updated);
    const update = (workspaceId: number, name: string) => personas.update(workspaceId, id, { name });
    await expect(update(ada.workspaceId, '')).rejects.toMatchObject({ code: 'validation_failed' });
    const { workspaceId: elsewhere } = await stores.newWorkspace();
    await expect(update(elsewhere, 'Mine')).rejects.toMatchObject({ code: 'not_found' });
    expect(await read(id)).toMatchObject(updated);
  });

  it('are deleted at once, by those who may, and their files later', async () => {
    const { workspaceId } = ada;
    const persona = await personas.create(ada, {});
    const file = await stores.newFile(workspaceId, null);
    const like = await stores.trainings.add(training(persona, null, { fileId: file.id }));
    const deleteAs = (actor: { userId?: number; workspaceId?: number }, role: 'member' | 'owner' = 'member') =>
      personas.delete({ ...ada, role, ...actor }, persona.id);
    const other = await stores.newWorkspace();
    await expect(deleteAs(other, 'owner')).rejects.toMatchObject({ code: 'not_found' });
    await expect(deleteAs({ userId: other.userId })).rejects.toMatchObject({ code: 'forbidden' });
    expect(jobs.announced).toEqual([]);

    await deleteAs({});
    await expect(deleteAs({})).rejects.toMatchObject({ code: 'not_found' });
    expect(await read(persona.id)).toBeNull();
    expect(await stores.views.training(workspaceId, persona.id, like.id)).toBeNull();
    expect(jobs.announced).toMatchObject([
      { name: 'persona.purge', payload: { personaId: persona.id } },
      { name: 'files.reclaim', payload: { fileIds: [file.id] } },
    ]);
  });
});
