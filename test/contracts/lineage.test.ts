/** @tier test */
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { MAX_ANCESTORS } from '#generation';
import { GenerationStage } from '../support/generation-store.ts';

const stage = await GenerationStage.open();
afterAll(() => stage.close());
beforeEach(() => stage.enter());

/** A generation that went on from an output of another; it has so many outputs, unless it has not ended or has failed. */
async function made(parent: number | null, outputs = 1, output = 0): Promise<number> {
  const id = await stage.accepted({ parent: parent === null ? null : { generationId: parent, output } });
  if (outputs === 0) return id;
  stage.work = async () => Array.from({ length: outputs }, () => stage.aPicture);
  await stage.run(id);
  return id;
}

async function lineage(id: number, workspaceId = stage.actor.workspaceId) {
  const { ancestors, descendants, isComplete } = await stage.views.lineage(workspaceId, id);
  const ids = (views: readonly { readonly id: number }[]) => views.map((view) => view.id);
  return { ancestors: ids(ancestors), descendants: ids(descendants), isComplete };
}

/** Deletes the file of an output. */
async function deleteOutput(id: number): Promise<void> {
  const [row] = await stage.db.query<{ fileId: number }>(
    'select file_id as "fileId" from generation_outputs where generation_id = $1 and position = 1',
    [id],
  );
  await stage.db.query('delete from generation_outputs where file_id = $1', [row!.fileId]);
}

describe('the lineage of a generation', () => {
  it('is what it came from and what came of it, over any number of steps', async () => {
    const first = await made(null);
    const [a, b] = [await made(first), await made(first)];
    const [below, last] = [await made(a), await made(b)];
    const lowest = await made(below);
    expect(await lineage(first)).toEqual({ ancestors: [], descendants: [a, b, below, last, lowest], isComplete: true });
    expect(await lineage(below)).toEqual({ ancestors: [first, a], descendants: [lowest], isComplete: true });
    expect(await lineage(last)).toEqual({ ancestors: [first, b], descendants: [], isComplete: true });
  });

  it('has the output of an ancestor that was gone on from, with its thumbnails', async () => {
    const parent = await made(null, 3);
    const { ancestors } = await stage.views.lineage(stage.actor.workspaceId, await made(parent, 1, 2));
    expect(ancestors.map(({ outputs }) => outputs.map(({ index, thumbnails }) => [index, thumbnails.length]))).toEqual([
      [[2, 1]],
    ]);
  });

  it('has open generations, and none that failed or were canceled', async () => {
    const first = await made(null);
    const [open, failed, canceled] = [await made(first, 0), await made(first, 0), await made(first, 0)];
    await stage.generations.fail(failed, new Error('broken'));
    await stage.generations.cancel(stage.actor, canceled);
    expect((await lineage(first)).descendants).toEqual([open]);
  });

  it('leaves out generations whose outputs were deleted, and goes on beyond them', async () => {
    const first = await made(null);
    const deleted = await made(first);
    const [twoOutputs, last] = [await made(deleted, 2), await made(deleted)];
    await deleteOutput(deleted);
    await deleteOutput(twoOutputs);
    expect((await lineage(first)).descendants).toEqual([twoOutputs, last]);
    expect((await lineage(last)).ancestors).toEqual([first]);
  });

  it('leaves out what belonged to a deleted persona', async () => {
    const first = await made(null);
    const persona = stage.personaId;
    stage.personaId = await stage.newPersona();
    const second = await made(first);
    expect((await lineage(second)).ancestors).toEqual([first]);
    await stage.deletePersona(persona);
    expect((await lineage(second)).ancestors).toEqual([]);
  });

  it('is not found in another workspace, and has nothing of one', async () => {
    const first = await made(null);
    const other = await stage.newWorkspace();
    await expect(lineage(first, other.workspaceId)).rejects.toMatchObject({ code: 'not_found' });
    await expect(lineage(987_654_321)).rejects.toMatchObject({ code: 'not_found' });
    // No call makes such a reference; the audit finds it.
    await stage.db.query('update generations set workspace_id = $1 where id = $2', [
      other.workspaceId,
      await made(first),
    ]);
    expect((await lineage(first)).descendants).toEqual([]);
  });

  it('ends for a long chain and a wide tree', async () => {
    const first = await made(null);
    const { workspaceId, userId } = stage.actor;
    const insert = (parent: string, count: number) =>
      stage.db.query<{ id: number }>(
        `insert into generations (workspace_id, user_id, model, kind, state, parameters, cost, created_at, parent_id,
           parent_output)
         select $1, $2, 'm', 'image', 'queued', '{}', 4, now(), ${parent}, 0 from generate_series(1, $3::integer)
         returning id`,
        [workspaceId, userId, count],
      );
    let last = first;
    for (let step = 0; step < MAX_ANCESTORS + 50; step++) last = (await insert(String(last), 1))[0]!.id;
    const wide = await insert(String(last), 6_000);
    expect((await lineage(last)).ancestors).toEqual([]);
    const { descendants, isComplete } = await lineage(last);
    expect([descendants.length, isComplete]).toEqual([200, false]);
    expect((await lineage(wide[0]!.id)).isComplete).toBe(false);
  });

  it("has no loops: a generation can't go on from itself or from a later one", async () => {
    const [first, second] = [await made(null), await made(null)];
    const update = (id: number, parent: number) =>
      stage.db.query('update generations set parent_id = $2, parent_output = 0 where id = $1', [id, parent]);
    await expect(update(first, second)).rejects.toThrow('generations_parent_is_older');
    await expect(update(first, first)).rejects.toThrow('generations_parent_is_older');
    await update(second, first);
  });
});
