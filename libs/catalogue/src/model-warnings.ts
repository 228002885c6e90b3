import type { Clock } from '#kernel';
import type { Models } from './domain/model.ts';
import { dueWarnings } from './domain/retirement.ts';
import type { ModelNews } from './model-news.ts';

/** Warns the workspaces that use a model 60, 30, 7 and 1 days before it ends. */
export class ModelWarnings {
  constructor(
    private readonly models: Pick<Models, 'all' | 'gone'>,
    private readonly news: Pick<ModelNews, 'tell'>,
    private readonly clock: Clock,
  ) {}

  /** @returns the number of warnings that workspaces have by now */
  async sweep(): Promise<number> {
    const now = this.clock.now();
    let warned = 0;
    for (const { model, days, successor } of dueWarnings(this.models, now)) {
      const retires_at = model.retiresAt.toISOString();
      const facts = { retires_at, successor: successor && successor.id, days };
      const key = `retiring ${model.id} ${retires_at} ${days}`;
      warned += await this.news.tell(model, { type: 'model.retiring', facts, key }, now);
    }
    return warned;
  }
}
