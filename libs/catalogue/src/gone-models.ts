import type { AuditLog } from '#audit-log';
import type { Clock } from '#kernel';
import { afterRefusal } from './domain/gone-model.ts';
import type { Model, ModelReference } from './domain/model.ts';
import type { ModelNews } from './model-news.ts';
import type { VendorDoubts } from './ports.ts';

/** Which models their vendors no longer have. Both methods must be called in a unit of work. */
export class GoneModels {
  constructor(
    private readonly deps: {
      readonly doubts: VendorDoubts;
      readonly news: Pick<ModelNews, 'tell'>;
      readonly auditLog: Pick<AuditLog, 'record'>;
      readonly clock: Clock;
    },
  ) {}

  /** Records that the vendor has said to a call of a user that it has no such model. */
  async refused(refusedModel: Model, userId: number): Promise<void> {
    const { doubts, news, auditLog, clock } = this.deps;
    const { id, revision, target } = refusedModel;
    const model = { model: id, modelRevision: revision, target };
    const before = await doubts.lock(model);
    const at = clock.now();
    const doubt = afterRefusal(before, { userId, at });
    const doubtId = await doubts.save(model, doubt, at);
    if (before.goneSince || !doubt.goneSince) return;
    await auditLog.record({ action: 'model.gone', target: doubtId, details: { id, revision }, workspaceId: null });
    const key = `gone ${doubtId} ${at.toISOString()}`;
    await news.tell(refusedModel, { type: 'model.gone', facts: {}, key }, at);
    await doubts.announce();
  }

  /** Records that a call of a model has succeeded. */
  async succeeded(model: ModelReference): Promise<void> {
    const { doubts } = this.deps;
    if (await doubts.clear(model)) await doubts.announce();
  }
}
