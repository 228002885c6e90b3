import type { JobHandler, JobHandlers } from '#adapters/queue';
import { Batches } from '#batch';
import { MediaItems, ProcessMedia } from '#board';
import { ExportRuns } from '#export';
import { ErasureRuns } from '#erasure';
import { FileDeletion, PrivateFiles } from '#files';
import { GenerationRuns, Generations, SubmissionCanceling, TrialRuns } from '#generation';
import { AccountMails, Accounts, PasswordChanges } from '#identity';
import { InboxMails } from '#inbox';
import { JobPostponed, type Job, type JobName, type JobPayloads, type Jobs } from '#kernel';
import { TrainingProcessing } from '#persona';
import { MarkPictures } from '#sharing';
import { InvitationMails } from '#team';
import { Deletions } from '#trash';
import { DeliveryRuns, EndpointRuns } from '#webhooks';
import { jobs, provideFrom, token } from '#wiring';

export const handlers = token<JobHandlers>('JobHandlers');

/** Delay before a failed housekeeping job starts anew. */
const RESTART_SECONDS = 600;
/** Delay before files are moved that others had locked. */
const MOVE_SECONDS = 5;

/** The handler of each job, and what happens when the job fails for good. */
export const jobHandlers = provideFrom(
  handlers,
  {
    announcer: jobs,
    processMedia: ProcessMedia,
    media: MediaItems,
    deletions: Deletions,
    files: FileDeletion,
    privateFiles: PrivateFiles,
    generationRuns: GenerationRuns,
    generations: Generations,
    batches: Batches,
    canceling: SubmissionCanceling,
    trials: TrialRuns,
    trainings: TrainingProcessing,
    marking: MarkPictures,
    mails: InvitationMails,
    inboxMails: InboxMails,
    accountMails: AccountMails,
    accounts: Accounts,
    passwords: PasswordChanges,
    deliveries: DeliveryRuns,
    endpoints: EndpointRuns,
    exportRuns: ExportRuns,
    erasures: ErasureRuns,
  },
  ({ announcer, ...of }): JobHandlers => ({
    'media.process': {
      run: ({ mediaId, revision }, run) => of.processMedia.run(mediaId, revision, run),
      failed: ({ mediaId, revision }, error) => of.media.fail(mediaId, revision, error),
    },
    'training.process': {
      run: (training, run) => of.trainings.run(training, run),
      failed: (training, error) => of.trainings.fail(training, error),
    },
    'share.mark': {
      run: ({ shareId, mediaIds }, run) => of.marking.run(shareId, mediaIds, run),
      failed: ({ shareId, mediaIds }) => of.marking.fail(shareId, mediaIds),
    },
    'generation.run': generation(of.generationRuns, of.generations),
    'generation.finish': generation(of.generationRuns, of.generations),
    'batch.cancel': restarted(announcer, 'batch.cancel', ({ batchId }, run) => of.batches.cancelCells(batchId, run)),
    'trial.run': {
      run: ({ trialId }, run) => of.trials.run(trialId, run),
      failed: ({ trialId }, error) => of.trials.fail(trialId, error),
    },
    'invitation.send': {
      run: ({ invitationId }, run) => of.mails.send(invitationId, run),
      failed: ({ invitationId }, error, run) => of.mails.handleFailure(invitationId, error, run),
    },
    'inbox.mail': {
      run: (mailing, run) => of.inboxMails.send(mailing, run),
      failed: (mailing, error) => of.inboxMails.handleFailure(mailing, error),
    },
    'review.mail': { run: async () => undefined, failed: async () => undefined },
    'account.mail': {
      run: ({ confirmationId }, run) => of.accountMails.sendConfirmation(confirmationId, run),
      failed: (payload, error) => of.accountMails.retry({ name: 'account.mail', payload }, error),
    },
    'account.notice': {
      run: (notice, run) => of.accountMails.sendNotice(notice, run),
      failed: (payload, error) => of.accountMails.retry({ name: 'account.notice', payload }, error),
    },
    'password_reset.request': restarted(announcer, 'password_reset.request', ({ email }) =>
      of.passwords.startReset(email),
    ),
    'sign_in.record_failure': restarted(announcer, 'sign_in.record_failure', (failure) =>
      of.accounts.recordFailure(failure),
    ),
    'account.erase': restarted(announcer, 'account.erase', ({ userId }, { signal }) => of.erasures.run(userId, signal)),
    'webhook.deliver': {
      run: (delivery, run) => of.deliveries.run(delivery, run),
      failed: (delivery) => of.deliveries.fail(delivery),
    },
    'webhook.endpoint': restarted(announcer, 'webhook.endpoint', (payload, run) => of.endpoints.run(payload, run)),
    'export.run': {
      run: ({ exportId }, run) => of.exportRuns.run(exportId, run),
      failed: ({ exportId }) => of.exportRuns.fail(exportId),
    },
    'submission.cancel': restarted(announcer, 'submission.cancel', ({ generationId }, run) =>
      of.canceling.run(generationId, run),
    ),
    'deletion.carry_out': restarted(announcer, 'deletion.carry_out', ({ entryIds }, { signal }) =>
      of.deletions.carryOut(entryIds, signal),
    ),
    'files.reclaim': restarted(announcer, 'files.reclaim', ({ fileIds }, { signal }) =>
      of.files.deleteUnneeded(fileIds, signal),
    ),
    'files.erase': restarted(announcer, 'files.erase', ({ fileIds }, { signal }) => of.files.erase(fileIds, signal)),
    'files.move': restarted(announcer, 'files.move', async ({ workspaceId }, { signal }) => {
      if (!(await of.privateFiles.move(workspaceId, signal))) throw new JobPostponed('files are locked', MOVE_SECONDS);
    }),
    'files.restore': restarted(announcer, 'files.restore', ({ keys }) => of.files.bringBack(keys)),
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
