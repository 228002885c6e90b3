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

  /** Records that a provider is paused, and tells the workspaces of operators, once in each hour at most. */
  begin(id: string): Promise<void> {
    return this.unitOfWork.run(async () => {
      const createdAt = this.clock.now();
      if (!(await this.paused.pause(id, createdAt))) return;
      const since = createdAt.toISOString();
      const key = `failing ${id} ${since.slice(0, 'yyyy-mm-ddThh'.length)}`;
      const event = { type: 'provider.failing', subjectId: id, facts: { id, since }, key, createdAt } as const;
      const workspaces = await this.operators.workspacesOfOperators();
      if (workspaces.length === 0) return;
      await this.events.record(...workspaces.map((workspaceId) => ({ workspaceId, ...event })));
    });
  }

  end(id: string): Promise<void> {
    return this.paused.resume(id);
  }
}
