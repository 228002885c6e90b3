import { scheduleFileDeletion } from '#files';
import { assertMay, type Actor } from '#identity';
import { notFound, type Clock, type Jobs, type UnitOfWork } from '#kernel';
import type { Personas } from '../ports/personas.ts';

/** Deletes a persona with all its trainings at once; what is stored for it is purged by the worker. */
export class DeletePersona {
  readonly #personas: Personas;
  readonly #jobs: Jobs;
  readonly #unitOfWork: UnitOfWork;
  readonly #clock: Clock;

  constructor(personas: Personas, jobs: Jobs, unitOfWork: UnitOfWork, clock: Clock) {
    this.#personas = personas;
    this.#jobs = jobs;
    this.#unitOfWork = unitOfWork;
    this.#clock = clock;
  }

  /** @throws DomainError `not_found`, `forbidden` */
  async run(actor: Pick<Actor, 'workspaceId' | 'userId' | 'role'>, personaId: number): Promise<void> {
    await this.#unitOfWork.run(async () => {
      const persona = await this.#personas.find(actor.workspaceId, personaId);
      if (!persona) throw notFound('persona');
      assertMay('persona.delete', actor, { createdBy: persona.createdBy });

      const othersFiles = await this.#personas.remove(actor.workspaceId, personaId, this.#clock.now());
      if (!othersFiles) throw notFound('persona');

      await this.#jobs.announce({ name: 'persona.purge', payload: { personaId } });
      await scheduleFileDeletion(this.#jobs, othersFiles);
    });
  }
}
