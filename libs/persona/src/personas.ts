import type { AuditLog } from '#audit-log';
import { announceDeletion, deletionBy } from '#files';
import { assertMay, customChangesFor, customDataFor, type Actor } from '#identity';
import { NO_CUSTOM_DATA, notFound, type Clock, type CustomData, type Jobs, type UnitOfWork } from '#kernel';
import {
  checkedProfile,
  DEFAULT_PERSONA_NAME,
  UNNAMED_PERSONA,
  type Persona,
  type PersonaProfile,
} from './domain/persona.ts';
import type { NewPersona, PersonaStore } from './ports.ts';

export class Personas {
  constructor(
    private readonly personas: PersonaStore,
    private readonly jobs: Jobs,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly auditLog: Pick<AuditLog, 'record'>,
    /** Days that a deleted persona stays in the trash. */
    private readonly graceDays = 0,
  ) {}

  /** @throws DomainError `validation_failed`, `forbidden` */
  async create(
    by: Pick<Actor, 'workspaceId' | 'userId' | 'customer'>,
    { customer = null, metadata = null, ...profile }: Partial<PersonaProfile & CustomData>,
  ): Promise<Persona> {
    const customData = customDataFor(by, { customer, metadata });
    const persona = this.#newPersona(by, { name: UNNAMED_PERSONA, ...checkedProfile(profile), ...customData });
    return this.unitOfWork.run(() => this.personas.add(persona));
  }

  /** Creates the persona `Default` for a member without personas in the workspace. Concurrent calls create one. */
  createDefault(by: Pick<Actor, 'workspaceId' | 'userId'>): Promise<void> {
    return this.unitOfWork.run(() => this.personas.addFirst(this.#newPersona(by, { name: DEFAULT_PERSONA_NAME })));
  }

  /**
   * Changes the given fields and no others.
   *
   * @throws DomainError `validation_failed`, `forbidden`, `not_found`
   */
  async update(
    actor: Pick<Actor, 'workspaceId' | 'customer'>,
    personaId: number,
    changes: Partial<PersonaProfile & CustomData>,
  ): Promise<void> {
    const { workspaceId } = actor;
    const checked = { ...checkedProfile(changes), ...customChangesFor(actor, changes) };
    const now = this.clock.now();
    const found = await this.unitOfWork.run(() => this.personas.update(workspaceId, personaId, checked, now));
    if (!found) throw notFound('persona');
  }

  /**
   * Deletes a persona with its trainings and files.
   *
   * @throws DomainError `not_found`, `forbidden`
   */
  async delete(actor: Pick<Actor, 'workspaceId' | 'userId' | 'role'>, personaId: number): Promise<void> {
    await this.unitOfWork.run(async () => {
      const persona = await this.personas.find(actor.workspaceId, personaId);
      if (!persona) throw notFound('persona');
      assertMay('persona.delete', actor, { createdBy: persona.createdBy });

      const deletion = deletionBy(actor.userId, this.clock.now(), this.graceDays);
      const entryId = await this.personas.delete(actor.workspaceId, personaId, deletion);
      if (entryId === null) throw notFound('persona');
      await announceDeletion(this.jobs, actor.workspaceId, [entryId]);
      await this.auditLog.record({ action: 'persona.delete', target: personaId, details: {} });
    });
  }

  #newPersona(
    { workspaceId, userId: createdBy }: Pick<Actor, 'workspaceId' | 'userId'>,
    profile: Partial<PersonaProfile & CustomData> & Pick<PersonaProfile, 'name'>,
  ): NewPersona {
    const empty = { title: null, knows: null, profession: null, ...NO_CUSTOM_DATA };
    return { ...empty, ...profile, workspaceId, createdBy, createdAt: this.clock.now() };
  }
}
