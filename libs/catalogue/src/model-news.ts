import type { EventFacts, EventLog } from '#events';
import { namesOf, type NamedModel } from './domain/model-names.ts';
import type { ModelUsers } from './ports.ts';

/** An event about the life of a model. */
interface News {
  readonly type: 'model.retiring' | 'model.gone';
  readonly facts: EventFacts;
  /** Unique in a workspace: each gets the event once. */
  readonly key: string;
}

/** Tells workspaces of the models that they use. */
export class ModelNews {
  constructor(
    private readonly users: ModelUsers,
    private readonly events: Pick<EventLog, 'record'>,
  ) {}

  /** @returns the number of workspaces that use the model */
  async tell(model: NamedModel, { facts, ...news }: News, createdAt: Date): Promise<number> {
    const { id } = model;
    const workspaces = await this.users.workspacesUsing(namesOf(model), createdAt);
    const events = workspaces.map((workspaceId) => {
      return { workspaceId, ...news, subjectId: id, facts: { id, ...facts }, createdAt };
    });
    if (events.length > 0) await this.events.record(...events);
    return events.length;
  }
}
