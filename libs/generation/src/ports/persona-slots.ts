import type { SlotPictures } from '../domain/resolve-inputs.ts';

/** What generations need of personas. */
export interface PersonaSlots {
  /**
   * The pictures in slots 1 and 7; `null` when the persona is unknown, deleted, or in another workspace. Until the
   * surrounding unit of work ends, what is saved in it may refer to the persona and to the files: none of their
   * records goes away.
   */
  of(workspaceId: number, personaId: number): Promise<SlotPictures | null>;

  /** The oldest persona in the workspace that the user made, kept like that; `null` when there is none. */
  firstOf(workspaceId: number, userId: number): Promise<number | null>;
}
