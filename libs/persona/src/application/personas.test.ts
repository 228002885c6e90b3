import { beforeEach, describe, expect, it } from '@jest/globals';
import { directUnitOfWork, ManualClock, RecordedJobs } from '#testing/kernel';
import { InMemoryPersonaStore, training } from '../testing/index.ts';
import { CreatePersona } from './create-persona.ts';
import { DeletePersona } from './delete-persona.ts';
import { ListPersonas } from './list-personas.ts';
import { makeDefaultPersona } from './make-default-persona.ts';
import { ReadPersona } from './read-persona.ts';
import { UpdatePersona } from './update-persona.ts';

const urls = { publicUrl: (key: string) => `https://storage.test/${key}` };
const ada = { workspaceId: 1, userId: 10 };

describe('personas', () => {
  let store: InMemoryPersonaStore;
  let clock: ManualClock;
  let jobs: RecordedJobs;
  beforeEach(() => {
    store = new InMemoryPersonaStore();
    clock = new ManualClock();
    jobs = new RecordedJobs();
  });
  const create = (profile = {}) => new CreatePersona(store.personas, urls, clock).run(ada, profile);
  const read = (personaId: number, workspaceId = ada.workspaceId) =>
    new ReadPersona(store.personas, urls).run(workspaceId, personaId);
  const deleteAs = (userId: number, role: 'member' | 'admin' | 'owner', personaId: number, workspaceId = 1) =>
    new DeletePersona(store.personas, jobs, directUnitOfWork, clock).run(
      { userId, role, workspaceId },
      personaId,
    );

  it('are made with seven empty slots', async () => {
    const persona = await create({ name: ' Ada ', knows: 'engines' });
    expect(persona).toEqual({
      id: persona.id,
      workspaceId: 1,
      createdBy: 10,
      name: 'Ada',
      title: null,
      knows: 'engines',
      profession: null,
      createdAt: clock.now(),
      updatedAt: clock.now(),
      slotsFilled: 0,
      likesCount: 0,
      trainingsCount: 0,
      slots: ['master', 'style', 'style', 'style', 'style', 'style', 'main'].map((purpose, index) => ({
        slot: index + 1,
        purpose,
        trainingId: null,
        photo: null,
        state: null,
        error: null,
      })),
    });
    expect(await read(persona.id)).toEqual(persona);
  });

  it('have a name, given or not', async () => {
    expect(await create()).toMatchObject({ name: 'Untitled' });
    await expect(create({ name: ' ' })).rejects.toMatchObject({ code: 'validation_failed' });
  });

  it('welcome a newcomer with one that is theirs', async () => {
    await makeDefaultPersona(store.personas, clock)({ workspaceId: 7, userId: 70 });
    const { items } = await new ListPersonas(store.personas).run(7, { limit: null, after: null });
    expect(items).toMatchObject([{ name: 'Default', createdBy: 70 }]);
  });

  it('show a picture under its own URL until it is stored, and from then on under the public one', async () => {
    const persona = await create();
    const file = store.addFile(persona.id);
    const { id: createdId } = await store.trainings.add(training(persona, 2));
    const { id: storedId } = await store.trainings.add(training(persona, 7, { fileId: file.id }));
    const { slots } = await read(persona.id);
    expect(slots[1]).toEqual({
      slot: 2,
      purpose: 'style',
      trainingId: createdId,
      photo: 'https://pictures.test/one.png',
      state: 'created',
      error: null,
    });
    expect(slots[6]).toEqual({
      slot: 7,
      purpose: 'main',
      trainingId: storedId,
      photo: urls.publicUrl(file.key),
      state: 'processed',
      error: null,
    });
  });

  it('change in what is given', async () => {
    const update = new UpdatePersona(store.personas, urls, clock);
    const persona = await create({ name: 'Ada', title: 'Countess', knows: 'engines' });
    clock.advance(60);
    expect(await update.run(1, persona.id, { name: ' Ada King ', knows: null })).toEqual({
      ...persona,
      name: 'Ada King',
      knows: null,
      updatedAt: clock.now(),
    });
    await expect(update.run(1, persona.id, { name: '' })).rejects.toMatchObject({
      code: 'validation_failed',
    });
    await expect(update.run(2, persona.id, { name: 'Mine' })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('are nobody to another workspace', async () => {
    const { id } = await create();
    await expect(read(id, 2)).rejects.toMatchObject({ code: 'not_found' });
    await expect(deleteAs(20, 'owner', id, 2)).rejects.toMatchObject({ code: 'not_found' });
    expect(await read(id)).toMatchObject({ id });
  });

  it('are deleted at once, and purged later', async () => {
    const persona = await create();
    const file = store.addFile(null);
    const like = await store.trainings.add(training(persona, null, { fileId: file.id }));
    await expect(deleteAs(11, 'member', persona.id)).rejects.toMatchObject({ code: 'forbidden' });
    await deleteAs(10, 'member', persona.id);
    await expect(read(persona.id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(deleteAs(10, 'member', persona.id)).rejects.toMatchObject({ code: 'not_found' });
    expect(await store.trainings.read(1, persona.id, like.id)).toBeNull();
    expect(jobs.announced).toMatchObject([
      { name: 'persona.purge', payload: { personaId: persona.id } },
      { name: 'files.reclaim', payload: { fileIds: [file.id] } },
    ]);
  });
});
