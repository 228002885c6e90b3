import type { EventFacts } from '#events';
import type { Clock } from '#kernel';
import { dueWarnings } from './domain/retirement.ts';
import { namesOf } from './domain/model-names.ts';
import type { Models } from './domain/model.ts';

/** Tells workspaces of the models that they use. */
export interface ModelNews {
  /**
   * Records an event for each workspace that has a preset of one of the names, or has called one in the last 30 days.
   *
   * @param event.key unique in a workspace: each gets the event once
   * @returns the number of workspaces that were told
   */
  tell(
    names: readonly string[],
    event: {
      readonly type: 'model.retiring' | 'model.gone';
      readonly model: string;
      readonly facts: EventFacts;
      readonly key: string;
    },
    at: Date,
  ): Promise<number>;
}

/** Warns the workspaces that use a model 60, 30, 7 and 1 days before it ends. */
export class ModelWarnings {
  constructor(
    private readonly models: Pick<Models, 'all' | 'gone'>,
    private readonly news: ModelNews,
    private readonly clock: Clock,
  ) {}

  /** @returns the number of warnings that were sent */
  async sweep(): Promise<number> {
    const now = this.clock.now();
    let sent = 0;
    for (const { model, days, successor } of dueWarnings(this.models, now)) {
      const retires_at = model.retiresAt.toISOString();
      const facts = { id: model.id, retires_at, successor: successor && successor.id, days };
      const event = {
        type: 'model.retiring',
        model: model.id,
        facts,
        key: `retiring ${model.id} ${retires_at} ${days}`,
      } as const;
      sent += await this.news.tell(namesOf(model), event, now);
    }
    return sent;
  }
}
