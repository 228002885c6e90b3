import { Database, PostgresPersonas } from '#adapters/postgres';
import type { AccountHook } from '#identity';
import { Personas, type PersonaStore } from '#persona';
import { auditLog, clock, graceDays, jobs, unitOfWork } from './platform.ts';
import { provide, provideAs, provideMade, SharedModule, token } from './provide.ts';

export const personaStore = token<PersonaStore>('PersonaStore');
/** Creates the first persona of a new account. */
export const defaultPersona = token<AccountHook>('DefaultPersona');

/** Personas without trainings: files and generations create the first persona of a user. */
@SharedModule(
  [],
  provideAs(personaStore, PostgresPersonas, Database),
  provide(Personas, personaStore, jobs, unitOfWork, clock, auditLog, graceDays),
  provideMade(defaultPersona, [Personas], (personas): AccountHook => {
    return ({ user, workspaceId }) => personas.createDefault({ userId: user.id, workspaceId });
  }),
)
export class DefaultPersonaModule {}
