import { FfmpegVideos, SharpPictures } from '#adapters/images';
import {
  Database,
  PostgresGuests,
  PostgresMarkedPictures,
  PostgresSharedContents,
  PostgresShares,
} from '#adapters/postgres';
import { RandomTokenSecrets } from '#adapters/secrets';
import { Zips } from '#download';
import { Gate } from '#identity';
import { Comments, Decisions } from '#review';
import {
  GuestDownloads,
  GuestReviews,
  Guests,
  MarkPictures,
  Shares,
  RequestedPictures,
  type ShareViews,
} from '#sharing';
import { DerivedFiles } from '#sources';
import { DownloadModule } from './download.module.ts';
import { eventLog } from './events.module.ts';
import { IdentityModule, passwords } from './identity.module.ts';
import { auditLog, clock, jobs, labelText, unitOfWork } from './platform.ts';
import { provide, provideAs, provideStores, provideWith, SharedModule, token } from './provide.ts';
import { ReviewModule, reviewViews } from './review.module.ts';
import { signCopy, SourcesModule, temporaryFolders } from './sources.module.ts';
import { objectStorage } from './storage.module.ts';

export const shareViews = token<ShareViews>('ShareViews');

/** Links for guests. */
@SharedModule(
  [IdentityModule, ReviewModule, DownloadModule],
  ...provideStores(PostgresShares, PostgresGuests, PostgresSharedContents, PostgresMarkedPictures),
  provideAs(shareViews, PostgresShares, Database),
  provide(RequestedPictures, PostgresMarkedPictures, jobs),
  provideWith(Shares, {
    shares: PostgresShares,
    views: shareViews,
    pictures: PostgresMarkedPictures,
    requested: RequestedPictures,
    secrets: RandomTokenSecrets,
    passwords,
    auditLog,
    label: labelText,
    unitOfWork,
    clock,
  }),
  provideWith(Guests, {
    guests: PostgresGuests,
    events: eventLog,
    contents: PostgresSharedContents,
    requested: RequestedPictures,
    secrets: RandomTokenSecrets,
    passwords,
    unitOfWork,
    clock,
  }),
  provideWith(GuestReviews, {
    guests: PostgresGuests,
    contents: PostgresSharedContents,
    comments: Comments,
    decisions: Decisions,
    views: reviewViews,
    events: eventLog,
    gate: Gate,
    unitOfWork,
    clock,
  }),
  provide(GuestDownloads, PostgresSharedContents, Zips, RequestedPictures, unitOfWork),
)
export class SharingModule {}

/** Makes the copies for guests. Only the worker imports it. */
@SharedModule(
  [SourcesModule],
  ...provideStores(PostgresMarkedPictures),
  provideWith(MarkPictures, {
    pictures: PostgresMarkedPictures,
    watermarks: SharpPictures,
    clips: FfmpegVideos,
    derived: DerivedFiles,
    sign: signCopy,
    storage: objectStorage,
    folders: temporaryFolders,
    jobs,
    unitOfWork,
  }),
)
export class SharingRunsModule {}
