import { Baseline } from './2026-11-26-baseline.ts';
import { InvitationMailIndexes, InvitationMails, ValidInvitationMails } from './2026-11-28-invitation-mails.ts';
import { ShareOpenings } from './2026-11-28-share-openings.ts';
import { WaitingSharePictures } from './2026-11-28-waiting-share-pictures.ts';
import { FileThumbnails } from './2026-11-28-file-thumbnails.ts';
import { AuditOfOperators } from './2026-11-28-audit-of-operators.ts';
import { EndOf01 } from './2026-11-28-end-of-0-1.ts';
import { LivesOfModels, UsesOfModels } from './2026-11-30-lives-of-models.ts';
import {
  NoFileThumbnails,
  OlderPictures,
  PictureIndexes,
  Pictures,
  PictureTriggers,
  ValidPictures,
} from './2026-11-29-pictures.ts';
import { EndpointDeliveryIndexes, Events, ValidEndpointDeliveries } from './2026-11-30-events.ts';
import { ExternalIds, Provisioning } from './2026-11-30-provisioning.ts';
import { Names, NamesOfOutputs } from './2026-12-01-names.ts';
import { Preferences } from './2026-12-01-preferences.ts';
import { Drawings } from './2026-12-01-drawings.ts';
import { Inbox, inboxReferences } from './2026-12-01-inbox.ts';
import { noteReferences, Notes, PlacesOfMedia } from './2026-12-02-order-of-boards.ts';
import { Rounds, VersionIndexes, VersionsOfMedia } from './2026-12-03-versions.ts';
import { Markings } from './2026-12-04-marking.ts';
import { Variants } from './2026-12-04-variants.ts';
import { ValidPrivateFiles, PrivateFileIndexes, PrivateFiles } from './2026-12-04-private-files.ts';
import { Labels } from './2026-12-05-labels.ts';
import { Grants, ValidTokenKinds } from './2026-12-06-grants.ts';
import { customData, CustomDataIndexes, Customers, EntryCustomers } from './2026-11-30-customers.ts';

/** The last migration of 0.2, and the first of a new database: a database with others and without it is older. */
export const BASELINE = '2026-11-26-review-mails';

/** In the order they run. Append only: a migration that has run anywhere never changes. */
export const migrations = [
  { name: BASELINE, class: Baseline },
  { name: '2026-11-28-invitation-mails', class: InvitationMails },
  { name: '2026-11-28-invitation-mail-indexes', class: InvitationMailIndexes },
  { name: '2026-11-28-valid-invitation-mails', class: ValidInvitationMails },
  { name: '2026-11-28-share-openings', class: ShareOpenings },
  { name: '2026-11-28-waiting-share-pictures', class: WaitingSharePictures },
  { name: '2026-11-28-file-thumbnails', class: FileThumbnails },
  { name: '2026-11-28-audit-of-operators', class: AuditOfOperators },
  { name: '2026-11-28-end-of-0-1', class: EndOf01 },
  { name: '2026-11-29-pictures', class: Pictures },
  { name: '2026-11-29-picture-indexes', class: PictureIndexes },
  { name: '2026-11-29-picture-triggers', class: PictureTriggers },
  { name: '2026-11-29-older-pictures', class: OlderPictures },
  { name: '2026-11-29-valid-pictures', class: ValidPictures },
  { name: '2026-11-29-no-file-thumbnails', class: NoFileThumbnails },
  { name: '2026-11-30-events', class: Events },
  { name: '2026-11-30-endpoint-delivery-indexes', class: EndpointDeliveryIndexes },
  { name: '2026-11-30-valid-endpoint-deliveries', class: ValidEndpointDeliveries },
  { name: '2026-11-30-lives-of-models', class: LivesOfModels },
  { name: '2026-11-30-uses-of-models', class: UsesOfModels },
  { name: '2026-11-30-provisioning', class: Provisioning },
  { name: '2026-11-30-external-ids', class: ExternalIds },
  ...customData,
  { name: '2026-11-30-custom-data-indexes', class: CustomDataIndexes },
  { name: '2026-11-30-customers', class: Customers },
  { name: '2026-11-30-customers-of-entries', class: EntryCustomers },
  { name: '2026-12-01-names', class: Names },
  { name: '2026-12-01-names-of-outputs', class: NamesOfOutputs },
  { name: '2026-12-01-preferences', class: Preferences },
  { name: '2026-12-01-inbox', class: Inbox },
  ...inboxReferences,
  { name: '2026-12-01-drawings', class: Drawings },
  { name: '2026-12-02-places-of-media', class: PlacesOfMedia },
  { name: '2026-12-02-notes', class: Notes },
  ...noteReferences,
  { name: '2026-12-03-versions-of-media', class: VersionsOfMedia },
  { name: '2026-12-03-version-indexes', class: VersionIndexes },
  { name: '2026-12-03-rounds', class: Rounds },
  { name: '2026-12-04-marking', class: Markings },
  { name: '2026-12-04-variants', class: Variants },
  { name: '2026-12-04-private-files', class: PrivateFiles },
  { name: '2026-12-04-valid-private-files', class: ValidPrivateFiles },
  { name: '2026-12-04-private-file-indexes', class: PrivateFileIndexes },
  { name: '2026-12-05-labels', class: Labels },
  { name: '2026-12-06-grants', class: Grants },
  { name: '2026-12-06-valid-token-kinds', class: ValidTokenKinds },
] as const;
