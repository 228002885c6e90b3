import { Inject, Injectable } from '@nestjs/common';
import { StoredUrls } from '#files';
import type { ReviewSummary, ReviewViews } from '#review';
import { reviewViews } from '#wiring';

/** Parts of a media item's response that are not in its row. */
export interface Shown {
  readonly urls: StoredUrls;
  /** By the item's id; absent for items without comments and decisions. */
  readonly reviews: ReadonlyMap<number, ReviewSummary>;
}

/** Reads what media items show. */
@Injectable()
export class ShownMedia {
  /** For items that were just added. */
  readonly ofNew: Shown;

  constructor(
    @Inject(StoredUrls) private readonly urls: StoredUrls,
    @Inject(reviewViews) private readonly views: ReviewViews,
  ) {
    this.ofNew = { urls, reviews: new Map() };
  }

  /** Call it after the items are read: what it returns is at least as new as they are. */
  async of(media: readonly { readonly id: number }[]): Promise<Shown> {
    return { urls: this.urls, reviews: await this.views.summaries(media.map(({ id }) => id)) };
  }
}
