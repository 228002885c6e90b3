import type { SlotPictures } from '../domain/resolve-inputs.ts';

/** What generations need of personas. */
export interface PersonaSlots {
  /**
   * The pictures in slots 1 and 7, their files kept from being reclaimed until the surrounding unit of work ends;
   * `null` when the persona is unknown, deleted, or in another workspace.
   */
  of(workspaceId: number, personaId: number): Promise<SlotPictures | null>;

  /** The oldest persona in the workspace that the user made; `null` when there is none. */
  firstOf(workspaceId: number, userId: number): Promise<number | null>;
}
