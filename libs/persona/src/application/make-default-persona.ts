import type { Arrival } from '#identity';
import type { Clock } from '#kernel';
import { DEFAULT_PERSONA_NAME } from '../domain/persona.ts';
import type { Personas } from '../ports/personas.ts';

/** What the opening of an account does here: every newcomer gets a persona. */
export function makeDefaultPersona(personas: Pick<Personas, 'add'>, clock: Clock): Arrival {
  return async ({ userId, workspaceId }) => {
    await personas.add({
      workspaceId,
      createdBy: userId,
      name: DEFAULT_PERSONA_NAME,
      title: null,
      knows: null,
      profession: null,
      createdAt: clock.now(),
    });
  };
}
