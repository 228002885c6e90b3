import { Inject, Injectable } from '@nestjs/common';
import type { FileUrls } from '#files';
import type { ReviewSummary, ReviewViews } from '#review';
import { reviewViews } from '#wiring';

/** Parts of a media item's response that are not in its row. */
export interface Shown {
  readonly urls: FileUrls;
  /** By the item's id; absent for items without comments and decisions. */
  readonly reviews: ReadonlyMap<number, ReviewSummary>;
}

/** Reads what media items show. */
@Injectable()
export class ShownMedia {
  constructor(@Inject(reviewViews) private readonly views: ReviewViews) {}

  /** For items that were just added. */
  ofNew(urls: FileUrls): Shown {
    return { urls, reviews: new Map() };
  }

  /** Call it after the items are read: what it returns is at least as new as they are. */
  async of(media: readonly { readonly id: number }[], urls: FileUrls): Promise<Shown> {
    return { urls, reviews: await this.views.summaries(media.map(({ id }) => id)) };
  }
}
