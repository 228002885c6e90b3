import { Catalogue } from './2026-11-25-catalogue.ts';
import { AuditLog } from './2026-11-24-audit-log.ts';
import { AuditLogOfUsers } from './2026-11-26-audit-log-of-users.ts';
import { DerivedTokens, DerivedTokensIndex } from './2026-11-24-derived-tokens.ts';
import { AccountConfirmations, AvatarIndex } from './2026-11-24-account-confirmations.ts';
import { Operators } from './2026-11-24-operators.ts';
import { Trials } from './2026-11-26-trials.ts';
import { OperatorsByClaim } from './2026-11-25-operators-by-claim.ts';
import { DeletionIndexes, Deletions, ValidDeletions } from './2026-11-24-deletions.ts';
import { Exports } from './2026-11-25-exports.ts';
import { FairQueues } from './2026-11-22-fair-queues.ts';
import { BatchIndexes, Batches, ValidBatches } from './2026-11-26-batches.ts';
import { BoardLooks } from './2026-11-26-board-looks.ts';
import { Boards } from './2026-11-21-boards.ts';
import { BulkJobs } from './2026-11-21-bulk-jobs.ts';
import { GenerationFilters } from './2026-11-22-generation-filters.ts';
import { GenerationKeys } from './2026-11-21-generation-keys.ts';
import { MainJob } from './2026-11-21-main-job.ts';
import { MediaKeys } from './2026-11-21-media-keys.ts';
import { NextJobs } from './2026-11-22-next-jobs.ts';
import { Reconciliation } from './2026-11-21-reconciliation.ts';
import { Presets } from './2026-11-26-presets.ts';
import { InvitationMailIndexes, InvitationMails, ValidInvitationMails } from './2026-11-28-invitation-mails.ts';
import { ReviewMails } from './2026-11-26-review-mails.ts';
import { Reviews } from './2026-11-26-reviews.ts';
import { PersonaGenerations } from './2026-11-22-persona-generations.ts';
import { ReconciliationResult } from './2026-11-22-reconciliation-result.ts';
import { RemoteGenerations } from './2026-11-22-remote-generations.ts';
import { Retention } from './2026-11-21-retention.ts';
import { Lineage, LineageIndex, ValidLineage } from './2026-11-26-lineage.ts';
import { Identities } from './2026-11-24-identities.ts';
import { KeptBytes } from './2026-11-22-kept-bytes.ts';
import { ShareIndexes, Shares, ValidShares } from './2026-11-26-shares.ts';
import { ShareOpenings } from './2026-11-28-share-openings.ts';
import { WaitingSharePictures } from './2026-11-28-waiting-share-pictures.ts';
import { Trash } from './2026-11-22-trash.ts';
import { SignInLinks } from './2026-11-24-sign-in-links.ts';
import { StartJobs } from './2026-11-22-start-jobs.ts';
import { CountStorageUse, StorageUse } from './2026-11-24-storage-use.ts';
import { SubmissionDoubts } from './2026-11-24-submission-doubts.ts';
import { SubmissionHandles, UniqueSubmissionHandles } from './2026-11-24-submission-handles.ts';
import { SubmissionRefusals } from './2026-11-24-submission-refusals.ts';
import { SubmissionTraces } from './2026-11-22-submission-traces.ts';
import { TokenBudgets } from './2026-11-24-token-budgets.ts';
import { TokenScopes } from './2026-11-24-token-scopes.ts';
import { Teams } from './2026-11-21-teams.ts';
import { Webhooks } from './2026-11-22-webhooks.ts';
import { DiscardedObjectsOfWorkspace, Erasures } from './2026-11-25-erasures.ts';
import { StyleIndexes, Styles, ValidStyles } from './2026-11-25-styles.ts';
import { PausedProviders } from './2026-11-26-paused-providers.ts';
import { ProviderServers } from './2026-11-26-provider-servers.ts';
import { TwoFactor } from './2026-11-24-two-factor.ts';
import { UploadParts } from './2026-11-21-upload-parts.ts';
import { OutputThumbnails } from './2026-11-22-output-thumbnails.ts';
import { PendingAdditions } from './2026-11-22-pending-additions.ts';
import { Downloads } from './2026-11-26-downloads.ts';
import { Library } from './2026-11-26-library.ts';
import { LibraryDeletion, LibraryDeletionIndex, ValidLibraryDeletion } from './2026-11-26-library-deletion.ts';
import { FileThumbnails } from './2026-11-28-file-thumbnails.ts';
import { AuditOfOperators } from './2026-11-28-audit-of-operators.ts';

/** In the order they run. Append only: a migration that has run anywhere never changes. */
export const migrations = [
  { name: '2026-11-21-main-job', class: MainJob },
  { name: '2026-11-21-boards', class: Boards },
  { name: '2026-11-21-teams', class: Teams },
  { name: '2026-11-21-reconciliation', class: Reconciliation },
  { name: '2026-11-21-bulk-jobs', class: BulkJobs },
  { name: '2026-11-21-upload-parts', class: UploadParts },
  { name: '2026-11-21-retention', class: Retention },
  { name: '2026-11-21-generation-keys', class: GenerationKeys },
  { name: '2026-11-21-media-keys', class: MediaKeys },
  { name: '2026-11-22-persona-generations', class: PersonaGenerations },
  { name: '2026-11-22-pending-additions', class: PendingAdditions },
  { name: '2026-11-22-fair-queues', class: FairQueues },
  { name: '2026-11-22-remote-generations', class: RemoteGenerations },
  { name: '2026-11-22-output-thumbnails', class: OutputThumbnails },
  { name: '2026-11-22-webhooks', class: Webhooks },
  { name: '2026-11-22-generation-filters', class: GenerationFilters },
  { name: '2026-11-22-reconciliation-result', class: ReconciliationResult },
  { name: '2026-11-22-start-jobs', class: StartJobs },
  { name: '2026-11-22-kept-bytes', class: KeptBytes },
  { name: '2026-11-22-submission-traces', class: SubmissionTraces },
  { name: '2026-11-22-trash', class: Trash },
  { name: '2026-11-22-next-jobs', class: NextJobs },
  { name: '2026-11-24-sign-in-links', class: SignInLinks },
  { name: '2026-11-24-storage-use', class: StorageUse },
  { name: '2026-11-24-count-storage-use', class: CountStorageUse },
  { name: '2026-11-24-submission-handles', class: SubmissionHandles },
  { name: '2026-11-24-unique-submission-handles', class: UniqueSubmissionHandles },
  { name: '2026-11-24-submission-doubts', class: SubmissionDoubts },
  { name: '2026-11-24-submission-refusals', class: SubmissionRefusals },
  { name: '2026-11-24-derived-tokens', class: DerivedTokens },
  { name: '2026-11-24-derived-tokens-index', class: DerivedTokensIndex },
  { name: '2026-11-24-deletions', class: Deletions },
  { name: '2026-11-24-deletion-indexes', class: DeletionIndexes },
  { name: '2026-11-24-valid-deletions', class: ValidDeletions },
  { name: '2026-11-24-account-confirmations', class: AccountConfirmations },
  { name: '2026-11-24-avatar-index', class: AvatarIndex },
  { name: '2026-11-24-two-factor', class: TwoFactor },
  { name: '2026-11-24-token-scopes', class: TokenScopes },
  { name: '2026-11-24-operators', class: Operators },
  { name: '2026-11-24-token-budgets', class: TokenBudgets },
  { name: '2026-11-24-identities', class: Identities },
  { name: '2026-11-24-audit-log', class: AuditLog },
  { name: '2026-11-25-exports', class: Exports },
  { name: '2026-11-25-operators-by-claim', class: OperatorsByClaim },
  { name: '2026-11-25-erasures', class: Erasures },
  { name: '2026-11-25-discarded-objects-of-workspace', class: DiscardedObjectsOfWorkspace },
  { name: '2026-11-25-catalogue', class: Catalogue },
  { name: '2026-11-25-styles', class: Styles },
  { name: '2026-11-25-style-indexes', class: StyleIndexes },
  { name: '2026-11-25-valid-styles', class: ValidStyles },
  { name: '2026-11-26-audit-log-of-users', class: AuditLogOfUsers },
  { name: '2026-11-26-trials', class: Trials },
  { name: '2026-11-26-provider-servers', class: ProviderServers },
  { name: '2026-11-26-lineage', class: Lineage },
  { name: '2026-11-26-lineage-index', class: LineageIndex },
  { name: '2026-11-26-valid-lineage', class: ValidLineage },
  { name: '2026-11-26-paused-providers', class: PausedProviders },
  { name: '2026-11-26-presets', class: Presets },
  { name: '2026-11-26-batches', class: Batches },
  { name: '2026-11-26-batch-indexes', class: BatchIndexes },
  { name: '2026-11-26-valid-batches', class: ValidBatches },
  { name: '2026-11-26-library', class: Library },
  { name: '2026-11-26-reviews', class: Reviews },
  { name: '2026-11-26-library-deletion', class: LibraryDeletion },
  { name: '2026-11-26-library-deletion-index', class: LibraryDeletionIndex },
  { name: '2026-11-26-valid-library-deletion', class: ValidLibraryDeletion },
  { name: '2026-11-26-downloads', class: Downloads },
  { name: '2026-11-26-shares', class: Shares },
  { name: '2026-11-26-share-indexes', class: ShareIndexes },
  { name: '2026-11-26-valid-shares', class: ValidShares },
  { name: '2026-11-26-board-looks', class: BoardLooks },
  { name: '2026-11-26-review-mails', class: ReviewMails },
  { name: '2026-11-28-invitation-mails', class: InvitationMails },
  { name: '2026-11-28-invitation-mail-indexes', class: InvitationMailIndexes },
  { name: '2026-11-28-valid-invitation-mails', class: ValidInvitationMails },
  { name: '2026-11-28-share-openings', class: ShareOpenings },
  { name: '2026-11-28-waiting-share-pictures', class: WaitingSharePictures },
  { name: '2026-11-28-file-thumbnails', class: FileThumbnails },
  { name: '2026-11-28-audit-of-operators', class: AuditOfOperators },
] as const;
