import { AuditLog } from './2026-11-24-audit-log.ts';
import { DerivedTokens, DerivedTokensIndex } from './2026-11-24-derived-tokens.ts';
import { AccountConfirmations, AvatarIndex } from './2026-11-24-account-confirmations.ts';
import { Operators } from './2026-11-24-operators.ts';
import { DeletionIndexes, Deletions, ValidDeletions } from './2026-11-24-deletions.ts';
import { FairQueues } from './2026-11-22-fair-queues.ts';
import { Boards } from './2026-11-21-boards.ts';
import { BulkJobs } from './2026-11-21-bulk-jobs.ts';
import { GenerationFilters } from './2026-11-22-generation-filters.ts';
import { GenerationKeys } from './2026-11-21-generation-keys.ts';
import { MainJob } from './2026-11-21-main-job.ts';
import { MediaKeys } from './2026-11-21-media-keys.ts';
import { NextJobs } from './2026-11-22-next-jobs.ts';
import { Reconciliation } from './2026-11-21-reconciliation.ts';
import { PersonaGenerations } from './2026-11-22-persona-generations.ts';
import { ReconciliationResult } from './2026-11-22-reconciliation-result.ts';
import { RemoteGenerations } from './2026-11-22-remote-generations.ts';
import { Retention } from './2026-11-21-retention.ts';
import { Identities } from './2026-11-24-identities.ts';
import { KeptBytes } from './2026-11-22-kept-bytes.ts';
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
import { TwoFactor } from './2026-11-24-two-factor.ts';
import { UploadParts } from './2026-11-21-upload-parts.ts';
import { OutputThumbnails } from './2026-11-22-output-thumbnails.ts';
import { PendingAdditions } from './2026-11-22-pending-additions.ts';

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
] as const;
