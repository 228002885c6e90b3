import type { JobHandler, JobHandlers } from '#adapters/queue';
import { Batches } from '#batch';
import { MediaItems, ProcessMedia } from '#board';
import { ExportRuns } from '#export';
import { ErasureRuns } from '#erasure';
import { FileDeletion } from '#files';
import { GenerationRuns, Generations, SubmissionCanceling, TrialRuns } from '#generation';
import { AccountMails, Accounts, PasswordChanges } from '#identity';
import type { Job, JobName, JobPayloads, Jobs } from '#kernel';
import { TrainingProcessing } from '#persona';
import { ReviewMails } from '#review';
import { MarkPictures } from '#sharing';
import { InvitationMails } from '#team';
import { Deletions } from '#trash';
import { DeliveryRuns, EndpointRuns } from '#webhooks';
import { jobs, provideMade, token } from '#wiring';

export const handlers = token<JobHandlers>('JobHandlers');

/** Delay before a failed housekeeping job starts anew. */
const RESTART_SECONDS = 600;

/** The handler of each job, and what happens when the job fails for good. */
export const jobHandlers = provideMade(
  handlers,
  [
    jobs,
    ProcessMedia,
    MediaItems,
    Deletions,
    FileDeletion,
    GenerationRuns,
    Generations,
    Batches,
    SubmissionCanceling,
    TrialRuns,
    TrainingProcessing,
    MarkPictures,
    InvitationMails,
    ReviewMails,
    AccountMails,
    Accounts,
    PasswordChanges,
    DeliveryRuns,
    EndpointRuns,
    ExportRuns,
    ErasureRuns,
  ],
  (
    announcer,
    processMedia,
    media,
    deletions,
    files,
    generationRuns,
    generations,
    batches,
    canceling,
    trials,
    trainings,
    marking,
    mails,
    reviewMails,
    accountMails,
    accounts,
    passwords,
    deliveries,
    endpoints,
    exportRuns,
    erasures,
  ): JobHandlers => ({
    'media.process': {
      run: ({ mediaId, revision }, run) => processMedia.run(mediaId, revision, run),
      failed: ({ mediaId, revision }, error) => media.fail(mediaId, revision, error),
    },
    'training.process': {
      run: (training, run) => trainings.run(training, run),
      failed: (training, error) => trainings.fail(training, error),
    },
    'share.mark': {
      run: ({ shareId, mediaIds }, run) => marking.run(shareId, mediaIds, run),
      failed: ({ shareId, mediaIds }) => marking.fail(shareId, mediaIds),
    },
    'generation.run': generation(generationRuns, generations),
    'generation.finish': generation(generationRuns, generations),
    'batch.cancel': restarted(announcer, 'batch.cancel', ({ batchId }, run) => batches.cancelCells(batchId, run)),
    'trial.run': {
      run: ({ trialId }, run) => trials.run(trialId, run),
      failed: ({ trialId }, error) => trials.fail(trialId, error),
    },
    'invitation.send': {
      run: ({ invitationId }, run) => mails.send(invitationId, run),
      failed: ({ invitationId }, error, run) => mails.handleFailure(invitationId, error, run),
    },
    'review.mail': {
      run: (addressee, run) => reviewMails.send(addressee, run),
      failed: (addressee, error, run) => reviewMails.handleFailure(addressee, error, run),
    },
    'account.mail': {
      run: ({ confirmationId }, run) => accountMails.sendConfirmation(confirmationId, run),
      failed: (payload, error) => accountMails.retry({ name: 'account.mail', payload }, error),
    },
    'account.notice': {
      run: (notice, run) => accountMails.sendNotice(notice, run),
      failed: (payload, error) => accountMails.retry({ name: 'account.notice', payload }, error),
    },
    'password_reset.request': restarted(announcer, 'password_reset.request', ({ email }) =>
      passwords.startReset(email),
    ),
    'sign_in.record_failure': restarted(announcer, 'sign_in.record_failure', (failure) =>
      accounts.recordFailure(failure),
    ),
    'account.erase': restarted(announcer, 'account.erase', ({ userId }, { signal }) => erasures.run(userId, signal)),
    'webhook.deliver': {
      run: (delivery, run) => deliveries.run(delivery, run),
      failed: (delivery) => deliveries.fail(delivery),
    },
    'webhook.endpoint': restarted(announcer, 'webhook.endpoint', (payload, run) => endpoints.run(payload, run)),
    'export.run': {
      run: ({ exportId }, run) => exportRuns.run(exportId, run),
      failed: ({ exportId }) => exportRuns.fail(exportId),
    },
    'submission.cancel': restarted(announcer, 'submission.cancel', ({ generationId }, run) =>
      canceling.run(generationId, run),
    ),
    'deletion.carry_out': restarted(announcer, 'deletion.carry_out', ({ entryIds }, { signal }) =>
      deletions.carryOut(entryIds, signal),
    ),
    'files.reclaim': restarted(announcer, 'files.reclaim', ({ fileIds }, { signal }) =>
      files.deleteUnneeded(fileIds, signal),
    ),
    'files.erase': restarted(announcer, 'files.erase', ({ fileIds }, { signal }) => files.erase(fileIds, signal)),
    'files.restore': restarted(announcer, 'files.restore', ({ keys }) => files.bringBack(keys)),
  }),
);

/** A generation on a remote provider runs in steps, as either job. */
function generation(
  runs: GenerationRuns,
  generations: Generations,
): JobHandler<JobPayloads['generation.run' | 'generation.finish']> {
  return {
    run: (payload, run) => runs.run(payload, run),
    failed: ({ generationId }, error) => generations.fail(generationId, error),
  };
}

/** A housekeeping job, which must finish at last: it is announced again when it fails for good. */
function restarted<Name extends JobName>(
  announcer: Jobs,
  name: Name,
  run: JobHandler<JobPayloads[Name]>['run'],
): JobHandler<JobPayloads[Name]> {
  const failed: JobHandler<JobPayloads[Name]>['failed'] = (payload, _error, { workspaceId }) =>
    announcer.announce({ name, payload, workspaceId } as Job, { delaySeconds: RESTART_SECONDS });
  return { run, failed };
}
