import type { EventLog } from '#events';
import type { Clock, UnitOfWork } from '#kernel';
import type { OperatorWorkspaces, PausedProviders } from './ports.ts';

/** Pauses of providers, which processes do not call while their calls fail. */
export class ProviderPauses {
  constructor(
    private readonly paused: PausedProviders,
    private readonly operators: OperatorWorkspaces,
    private readonly events: Pick<EventLog, 'record'>,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Records that a provider is paused, and tells the workspaces of operators, at most once an hour. */
  begin(id: string): Promise<void> {
    return this.unitOfWork.run(async () => {
      const createdAt = this.clock.now();
      if (!(await this.paused.pause(id, createdAt))) return;
      const since = createdAt.toISOString();
      const event = { type: 'provider.failing', subjectId: id, facts: { id, since }, createdAt } as const;
      const key = `failing ${id} ${since.slice(0, '2026-11-30T12'.length)}`;
      const workspaces = await this.operators.workspacesOfOperators();
      if (workspaces.length > 0) {
        await this.events.record(...workspaces.map((workspaceId) => ({ workspaceId, ...event, key })));
      }
    });
  }

  end(id: string): Promise<void> {
    return this.paused.resume(id);
  }
}
