import type { Jobs } from '#kernel';
import type { Share } from './domain/share.ts';
import type { MarkedPictureStore } from './ports.ts';

/** Items that are marked before a guest asks for them. */
const FIRST = 200;
/** Items of one job. */
const OF_A_JOB = 10;

/** Has the worker mark pictures, once for each item of a link. Call it inside a unit of work. */
export class RequestedPictures {
  constructor(
    private readonly store: Pick<MarkedPictureStore, 'request' | 'unrequested'>,
    private readonly jobs: Jobs,
  ) {}

  /** The newest items of a link with a watermark or label; others when a guest asks for them. */
  async requestFirst(share: Share): Promise<void> {
    await this.request(share, await this.store.unrequested(share, FIRST));
  }

  async request(share: Pick<Share, 'id' | 'workspaceId'>, mediaIds: readonly number[]): Promise<void> {
    await announceMarking(this.jobs, share, await this.store.request(share.id, mediaIds));
  }
}

export async function announceMarking(
  jobs: Jobs,
  { id: shareId, workspaceId }: Pick<Share, 'id' | 'workspaceId'>,
  mediaIds: readonly number[],
): Promise<void> {
  for (let from = 0; from < mediaIds.length; from += OF_A_JOB) {
    const payload = { shareId, mediaIds: mediaIds.slice(from, from + OF_A_JOB) };
    await jobs.announce({ name: 'share.mark', payload, workspaceId }, { bulk: true });
  }
}
