import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { InputSource } from '../domain/resolve-inputs.ts';
import type { PersonaSlots } from '../ports/persona-slots.ts';

/** Slots, and how personas and their pictures get there. */
export interface PersonaSlotsSetting {
  readonly slots: PersonaSlots;
  readonly workspaceId: number;
  readonly otherWorkspaceId: number;
  newUser(): Promise<number>;
  newPersona(workspaceId: number, userId: number): Promise<number>;
  deletePersona(personaId: number): Promise<void>;
  /** Puts a picture into a slot, as a file of the workspace or not, and gives what generators should read. */
  fill(personaId: number, slot: 1 | 7, stored: boolean): Promise<InputSource>;
  close(): Promise<void>;
}

/** What every `PersonaSlots` tells. */
export function personaSlotsContract(name: string, make: () => Promise<PersonaSlotsSetting>): void {
  describe(`persona slots: ${name}`, () => {
    let setting: PersonaSlotsSetting;
    beforeAll(async () => (setting = await make()));
    afterAll(() => setting.close());

    it('are slots 1 and 7, each null while it is empty', async () => {
      const { slots, workspaceId, newUser, newPersona, fill } = setting;
      const personaId = await newPersona(workspaceId, await newUser());
      expect(await slots.of(workspaceId, personaId)).toEqual({ master: null, main: null });
      const main = await fill(personaId, 7, false);
      expect(main.fileId).toBeNull();
      expect(await slots.of(workspaceId, personaId)).toEqual({ master: null, main });
      const master = await fill(personaId, 1, true);
      expect(master.fileId).not.toBeNull();
      expect(await slots.of(workspaceId, personaId)).toEqual({ master, main });
    });

    it('are those of a persona that is there, in the workspace', async () => {
      const { slots, workspaceId, otherWorkspaceId, newUser, newPersona, deletePersona } = setting;
      const personaId = await newPersona(workspaceId, await newUser());
      expect(await slots.of(otherWorkspaceId, personaId)).toBeNull();
      expect(await slots.of(workspaceId, 987_654_321)).toBeNull();
      await deletePersona(personaId);
      expect(await slots.of(workspaceId, personaId)).toBeNull();
    });

    it('the first persona is the oldest that the user made in the workspace and that is there', async () => {
      const { slots, workspaceId, otherWorkspaceId, newUser, newPersona, deletePersona } = setting;
      const userId = await newUser();
      expect(await slots.firstOf(workspaceId, userId)).toBeNull();
      await newPersona(otherWorkspaceId, userId);
      await newPersona(workspaceId, await newUser());
      expect(await slots.firstOf(workspaceId, userId)).toBeNull();
      const first = await newPersona(workspaceId, userId);
      const second = await newPersona(workspaceId, userId);
      expect(await slots.firstOf(workspaceId, userId)).toBe(first);
      await deletePersona(first);
      expect(await slots.firstOf(workspaceId, userId)).toBe(second);
    });
  });
}
