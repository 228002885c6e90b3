/** @tier test */
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { GenerationStage } from '../support/generation-store.ts';

const UNKNOWN = 987_654_321;

const stage = await GenerationStage.open();
afterAll(() => stage.close());

describe('persona slots', () => {
  beforeEach(() => stage.enter());

  /** Reports whether another transaction could delete the row now. */
  const isFree = async (table: 'files' | 'personas', id: number): Promise<boolean> => {
    const select = `select id from ${table} where id = $1 for update skip locked`;
    return (await stage.db.pool.query(select, [id])).rows.length === 1;
  };
  const slots = (personaId = stage.personaId) => stage.slots.slotsOf(stage.actor.workspaceId, personaId);
  const first = () => stage.slots.firstPersonaOf(stage.actor.workspaceId, stage.actor.userId);

  it('are slot 1, the filled slots 2 to 6 in order, and slot 7, with stored files or URLs', async () => {
    expect(await slots()).toEqual({ master: null, styles: [], main: null });
    const urlOf = (slot: number) => `https://else.test/${slot}.png`;
    for (const slot of [7, 6, 2, 4]) await stage.fill(slot, { url: urlOf(slot) });
    const [main, ...styles] = [7, 2, 4, 6].map((slot) => ({ url: urlOf(slot), fileId: null }));
    expect(await slots()).toEqual({ master: null, styles, main });
    const { key, fileId, url: stored } = await stage.newFile();
    for (const slot of [1, 3]) await stage.fill(slot, { fileId, url: stored });
    styles.splice(1, 0, { key, fileId } as never);
    expect(await slots()).toEqual({ master: { key, fileId }, styles, main });
  });

  it('are null for a persona that does not exist, is deleted, or is in another workspace', async () => {
    const { workspaceId } = await stage.newWorkspace();
    expect(await stage.slots.slotsOf(workspaceId, stage.personaId)).toBeNull();
    expect(await slots(UNKNOWN)).toBeNull();
    await stage.deletePersona();
    expect(await slots()).toBeNull();
  });

  it("come from the user's oldest persona in the workspace that is not deleted", async () => {
    const { workspaceId, userId } = await stage.newWorkspace();
    await stage.newPersona(workspaceId);
    await stage.newPersona(stage.actor.workspaceId, userId);
    expect(await first()).toBe(stage.personaId);
    const second = await stage.newPersona();
    expect(await first()).toBe(stage.personaId);
    await stage.deletePersona();
    expect(await first()).toBe(second);
    await stage.deletePersona(second);
    expect(await first()).toBeNull();
  });

  it('lock the persona and the files until the unit of work ends', async () => {
    const { personaId, unitOfWork } = stage;
    const [file, style] = [await stage.newFile(), await stage.newFile()];
    await stage.fill(1, file);
    await stage.fill(6, style);
    await unitOfWork.run(async () => {
      await slots();
      for (const { fileId } of [file, style]) expect(await isFree('files', fileId)).toBe(false);
      expect(await isFree('personas', personaId)).toBe(false);
    });
    for (const { fileId } of [file, style]) expect(await isFree('files', fileId)).toBe(true);
    await unitOfWork.run(async () => {
      await first();
      expect(await isFree('personas', personaId)).toBe(false);
    });
    expect(await isFree('personas', personaId)).toBe(true);
  });
});
