import type { Page, PageRequest } from '#kernel';
import type { Persona, PersonaProfile } from '../domain/persona.ts';
import type { Slot } from '../domain/slot.ts';
import type { TrainingState } from '../domain/training.ts';

export type NewPersona = Omit<Persona, 'id' | 'updatedAt'>;

export interface PersonaCounts {
  /** 0..7 */
  readonly slotsFilled: number;
  readonly likesCount: number;
  /** Slots and likes together. */
  readonly trainingsCount: number;
}

export interface PersonaSummary extends Persona, PersonaCounts {}

export interface FilledSlot {
  readonly slot: Slot;
  readonly trainingId: number;
  readonly sourceUrl: string;
  /** Object key of the picture once it is in the object storage. */
  readonly fileKey: string | null;
  readonly state: TrainingState;
  readonly error: string | null;
}

export interface PersonaDetails extends PersonaSummary {
  /** By slot; empty slots are left out. */
  readonly filledSlots: readonly FilledSlot[];
}

/** The personas of workspaces. One that was deleted, or is of another workspace than asked for, is not there. */
export interface Personas {
  add(persona: NewPersona): Promise<Persona>;

  find(workspaceId: number, personaId: number): Promise<Persona | null>;

  /** Keeps the persona from being deleted until the surrounding unit of work ends. False when it is not there. */
  hold(workspaceId: number, personaId: number): Promise<boolean>;

  /**
   * Like `hold`, and whoever else wants to hold the slots of this persona waits until the surrounding unit of
   * work ends.
   */
  holdSlots(workspaceId: number, personaId: number): Promise<boolean>;

  /**
   * Changes the parts of the profile that are given and leaves the others as they are, also when others change
   * those at the same time. `null` when the persona is not there.
   */
  update(
    workspaceId: number,
    personaId: number,
    changes: Partial<PersonaProfile>,
    updatedAt: Date,
  ): Promise<PersonaDetails | null>;

  /**
   * Deletes the persona with all its trainings, once nobody holds it any more. What is stored for it stays for
   * the purge. Must be called inside a unit of work.
   *
   * @returns the files of other personas that its trainings referred to; `null` when the persona is not there
   */
  remove(workspaceId: number, personaId: number, deletedAt: Date): Promise<readonly number[] | null>;

  /** Needs one round trip, whatever the persona has. */
  read(workspaceId: number, personaId: number): Promise<PersonaDetails | null>;

  /** Newest first. Needs one round trip. */
  list(workspaceId: number, page: PageRequest): Promise<Page<PersonaSummary>>;
}
