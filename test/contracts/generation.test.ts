/** @tier test */
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MODEL_KINDS } from '#catalogue';
import {
  cancel,
  fail,
  inputSetOf,
  placesOf,
  succeed,
  type EndedGeneration,
  type GenerationRequest,
  type Queued,
  type Running,
} from '#generation';
import type { SeenPicture } from '#files';
import { aGenerationRequest } from '#testing/generation';
import { newPicture } from '../support/database.ts';
import { GenerationStage } from '../support/generation-store.ts';
import { itInRounds, rounds } from '../support/rounds.ts';
import { untilWaiting } from '../support/until-waiting.ts';

const at = new Date('2026-03-14T10:00:00Z');
const error = { code: 'not_an_image', message: 'the input image is not a picture' };
const UNKNOWN = 987_654_321;
/** Credits charged. */
const COST = 2;

const stage = await GenerationStage.open();
afterAll(() => stage.close());
beforeEach(() => stage.enter());

const request = (overrides: Partial<GenerationRequest> = {}): GenerationRequest => {
  const { workspaceId, userId } = stage.actor;
  return aGenerationRequest({ workspaceId, userId, personaId: stage.personaId, ...overrides });
};
const add = (): Promise<Queued> => stage.store.add(request());
const addRunning = async (attempt = 1): Promise<Running> => (await stage.store.claim((await add()).id, attempt, at))!;
const read = (id: number) => stage.unitOfWork.run(() => stage.store.lock(id));
const outputOf = (fileId: number) => ({ fileId, label: null, score: null });
const aPicture = (seen: Partial<SeenPicture> = {}) => newPicture(stage.db.database, stage.actor.workspaceId, seen);

const text = fc.string({ unit: 'grapheme', maxLength: 40 });
const time = fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true });
const aKey = fc.stringMatching(/^[a-z]{1,8}$/);
const aNumber = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);

describe('stored generations', () => {
  it('are read as they were saved, for any values', async () => {
    const { store } = stage;
    const thumbnails = [{ key: 'files/small/a.webp', width: 320, height: 200 }];
    const files = await Promise.all([aPicture({ duration: 2.5 }), aPicture({ thumbnails }), aPicture()]);
    const { id: older } = await add();
    const source = fc.oneof(
      fc.constantFrom(...files).map(({ key, id }) => ({ key, fileId: id })),
      fc.webUrl().map((url) => ({ url, fileId: null })),
    );
    const asked = fc.record({
      personaId: fc.constantFrom(stage.personaId, null),
      model: text,
      kind: fc.constantFrom(...MODEL_KINDS),
      prompt: fc.option(text),
      parameters: fc.dictionary(aKey, fc.oneof(text, fc.boolean(), aNumber), { noNullPrototype: true }),
      inputs: fc.record({
        image: fc.option(source),
        style: fc.option(source),
        references: fc.array(source, { maxLength: 6 }),
        mask: fc.option(source),
        control: fc.option(source),
        pictures: fc.array(source, { maxLength: 6 }),
      }),
      trainedStyle: fc.constant(null),
      parent: fc.option(fc.record({ generationId: fc.constant(older), output: fc.integer({ min: 0, max: 32_767 }) })),
      webhook: fc.option(fc.webUrl()),
      cost: fc.nat({ max: 1_000_000 }),
      createdAt: time,
    });
    const output = fc.record({
      fileId: fc.constantFrom(...files.map(({ id }) => id)),
      label: fc.option(text),
      score: fc.option(fc.double({ min: 0, max: 1, noNaN: true }).map((value) => value + 0)),
    });
    const life = fc.record({
      request: asked.map(request),
      attempt: fc.integer({ min: 1, max: 1_000 }),
      fraction: fc.double({ min: 0, max: 1, noNaN: true }).map((value) => value + 0),
      outputs: fc.array(output, { maxLength: 4 }),
      error: fc.record({ code: text, message: text }),
      end: fc.constantFrom('succeeded', 'failed', 'canceled'),
      startedAt: time,
      finishedAt: time,
    });
    await fc.assert(
      fc.asyncProperty(life, async ({ request: asked, attempt, fraction, startedAt, finishedAt, ...rest }) => {
        const queued = await store.add(asked);
        const { id } = queued;
        expect(queued).toEqual({ id, attempt: 0, request: asked, state: 'queued' });
        expect(await read(id)).toEqual(queued);

        const { hasPersona, submission, ...running } = (await store.claim(id, attempt, startedAt))!;
        expect([hasPersona, submission]).toEqual([asked.personaId !== null, null]);
        expect(running).toEqual({ id, attempt, request: asked, state: 'running', startedAt, progress: 0 });
        expect(await store.progress(running, fraction)).toBe(true);
        expect(await read(id)).toEqual({ ...running, progress: fraction });

        const pictureOf = (id: number) => files.find((file) => file.id === id)!.picture;
        const shown = rest.outputs.map((output, index) => ({ ...output, ...pictureOf(output.fileId), index }));
        const ends: Record<string, EndedGeneration> = {
          succeeded: succeed(running, rest.outputs, asked.cost, finishedAt),
          failed: fail(running, rest.error, finishedAt),
          canceled: cancel(running, finishedAt),
        };
        expect(await store.save(ends[rest.end]!)).toEqual({ hasToCancel: false });
        expect(await read(id)).toEqual({ state: rest.end });
        const unreferenced = inputSetOf(
          placesOf(asked.inputs).map((place) => ({ ...place, picture: { ...place.picture, fileId: null } })),
        );
        expect(await stage.view(id)).toEqual({
          id,
          request: { ...asked, inputs: unreferenced },
          state: rest.end,
          progress: rest.end === 'succeeded' ? 1 : fraction,
          outputs: rest.end === 'succeeded' ? shown : [],
          error: rest.end === 'failed' ? rest.error : null,
          startedAt,
          finishedAt,
        });
      }),
      { numRuns: 60 },
    );
  });

  it('can only be claimed by a later run, and ignore the replaced run', async () => {
    const { store } = stage;
    const replaced = await addRunning(2);
    for (const attempt of [1, 2]) expect(await store.claim(replaced.id, attempt, at)).toBeNull();
    const current = (await store.claim(replaced.id, 3, new Date('2026-03-14T11:00:00Z')))!;
    expect(current).toMatchObject({ attempt: 3 });
    expect((await stage.view(replaced.id)).startedAt).toEqual(at);
    expect(await store.isCurrent(replaced)).toBe(false);
    expect(await store.progress(replaced, 0.9)).toBe(false);
    expect(await store.save(succeed(replaced, [], COST, at))).toBeNull();
    expect(await store.save(fail(replaced, error, at))).toBeNull();
    expect(await store.isCurrent(current)).toBe(true);
    expect(current).toEqual({ ...(await read(replaced.id)), hasPersona: true, submission: null });
  });

  it('end once if several runs end them concurrently', async () => {
    const output = outputOf((await stage.newFile()).fileId);
    for (let round = 0; round < rounds(); round++) {
      const running = await addRunning();
      const ends = [
        succeed(running, [output], COST, at),
        fail(running, error, at),
        cancel(running, at),
        succeed(running, [output, output], COST, at),
      ];
      const saved = await Promise.all(ends.map((end) => stage.store.save(end)));
      expect(saved.filter(Boolean)).toHaveLength(1);
      const { state, outputs } = await stage.view(running.id);
      const count = { failed: 0, canceled: 0, succeeded: saved[0] ? 1 : 2 };
      expect([state, outputs.length]).toEqual([
        ends[saved.findIndex((end) => end !== null)]!.state,
        count[state as keyof typeof count],
      ]);
    }
  });

  itInRounds('are claimed once by each attempt, and stay with the highest', async () => {
    const { id } = await add();
    const claim = (attempt: number) => stage.store.claim(id, attempt, at);
    const claims = await Promise.all([1, 1, 1, 1].map(claim));
    expect(claims.filter(Boolean)).toHaveLength(1);
    await Promise.all([4, 2, 3, 5].map(claim));
    expect(await read(id)).toMatchObject({ state: 'running', attempt: 5 });
  });

  it('are locked, so that a concurrent end waits and then has no effect', async () => {
    const { store, unitOfWork } = stage;
    const running = await addRunning();
    const order: string[] = [];
    const { promise: locked, resolve: lock } = Promise.withResolvers<void>();
    const canceling = unitOfWork.run(async () => {
      await store.lock(running.id);
      lock();
      await untilWaiting(stage.db);
      expect(await store.save(cancel(running, at))).toEqual({ hasToCancel: false });
      order.push('cancel');
    });
    await locked;
    expect(await store.save(succeed(running, [], COST, at))).toBeNull();
    order.push('finish');
    await canceling;
    expect(order).toEqual(['cancel', 'finish']);
  });
});

describe('views of generations', () => {
  const view = (id: number) => stage.view(id);

  it('show progress, and the outputs in order except those with deleted files', async () => {
    const running = await addRunning();
    await stage.store.progress(running, 0.25);
    expect(await view(running.id)).toMatchObject({ state: 'running', progress: 0.25, startedAt: at });

    const files = await Promise.all([aPicture(), aPicture({ duration: 2.5 }), aPicture()]);
    const [first, deleted, last] = files.reverse();
    const outputs = files.map(({ id }) => outputOf(id));
    await stage.store.save(succeed(running, outputs, COST, at));
    const ended = await view(running.id);
    expect(ended).toMatchObject({ state: 'succeeded', progress: 1, error: null, finishedAt: at });
    expect(ended.outputs).toEqual(files.map(({ id, picture }, index) => ({ ...outputOf(id), ...picture, index })));
    await stage.db.database.kysely.deleteFrom('files').where('id', '=', deleted!.id).execute();
    expect((await view(running.id)).outputs.map(({ key }) => key)).toEqual([first!.key, last!.key]);
  });

  it('report the same error for unknown generations and generations of other workspaces', async () => {
    const { id } = await add();
    await stage.enter();
    for (const each of [id, UNKNOWN]) {
      await expect(view(each)).rejects.toMatchObject({ code: 'not_found', message: 'no such generation' });
    }
  });

  it('list generations newest first, in pages, for one workspace', async () => {
    await add();
    await stage.enter();
    const ids: number[] = [];
    for (let count = 0; count < 5; count++) ids.unshift((await add()).id);
    const list = async (limit: number | null, after: number | null) => {
      const { items, next } = await stage.views.list(stage.actor.workspaceId, { limit, after });
      return { ids: items.map(({ id }) => id), next };
    };
    expect(await list(null, null)).toEqual({ ids, next: null });
    expect(await list(5, null)).toEqual({ ids, next: null });
    expect(await list(2, null)).toEqual({ ids: ids.slice(0, 2), next: ids[1] });
    expect(await list(2, ids[1]!)).toEqual({ ids: ids.slice(2, 4), next: ids[3] });
    expect(await list(2, ids[3]!)).toEqual({ ids: ids.slice(4), next: null });
  });
});

describe('the generations of a persona', () => {
  it('are counted and listed newest first, without generations of other personas', async () => {
    const { actor, personaId, views } = stage;
    const other = await stage.newPersona();
    const ofPersona = (id: number, limit = 2) => views.listForPersona(actor.workspaceId, id, limit);
    expect(await ofPersona(personaId)).toEqual({ newest: [], count: 0 });
    const ids: number[] = [];
    for (const requested of [personaId, personaId, other, personaId]) {
      const { id } = await stage.request({ personaId: requested });
      if (requested === personaId) ids.unshift(id!);
    }
    const { newest, count } = await ofPersona(personaId);
    expect([newest.map(({ id }) => id), count]).toEqual([ids.slice(0, 2), 3]);
    expect(newest[0]).toEqual(await views.get(actor.workspaceId, ids[0]!));
    const { workspaceId } = await stage.newWorkspace();
    expect(await views.listForPersona(workspaceId, personaId, 2)).toEqual({ newest: [], count: 0 });
  });
});
