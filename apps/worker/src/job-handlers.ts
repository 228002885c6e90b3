import type { JobHandler, JobHandlers } from '#adapters/queue';
import { MediaItems, ProcessMedia } from '#board';
import { FileDeletion } from '#files';
import { GenerationRuns, Generations, SubmissionCanceling } from '#generation';
import { AccountMails, Accounts, emailOf, PasswordChanges, type AccountNotice } from '#identity';
import type { Job, JobName, JobPayloads, Jobs } from '#kernel';
import { TrainingProcessing } from '#persona';
import { InvitationMails } from '#team';
import { Deletions } from '#trash';
import { DeliveryRuns } from '#webhooks';
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
    SubmissionCanceling,
    TrainingProcessing,
    InvitationMails,
    AccountMails,
    Accounts,
    PasswordChanges,
    DeliveryRuns,
  ],
  (
    announcer,
    processMedia,
    media,
    deletions,
    files,
    generationRuns,
    generations,
    canceling,
    trainings,
    mails,
    accountMails,
    accounts,
    passwords,
    deliveries,
  ): JobHandlers => ({
    'media.process': {
      run: ({ mediaId, revision }, run) => processMedia.run(mediaId, revision, run),
      failed: ({ mediaId, revision }, error) => media.fail(mediaId, revision, error),
    },
    'training.process': {
      run: (training, run) => trainings.run(training, run),
      failed: (training, error) => trainings.fail(training, error),
    },
    'generation.run': generation(generationRuns, generations),
    'generation.finish': generation(generationRuns, generations),
    'invitation.send': {
      run: ({ invitationId }, run) => mails.send(invitationId, run),
      failed: ({ invitationId }, error, run) => mails.handleFailure(invitationId, error, run),
    },
    'account.mail': {
      run: ({ confirmationId }, run) => accountMails.sendConfirmation(confirmationId, run),
      failed: (payload, error) => accountMails.retry({ name: 'account.mail', payload }, error),
    },
    'account.notice': {
      run: ({ email, notice }, run) => accountMails.sendNotice(emailOf(email), notice as AccountNotice, run),
      failed: (payload, error) => accountMails.retry({ name: 'account.notice', payload }, error),
    },
    'password_reset.request': restarted(announcer, 'password_reset.request', ({ email }) =>
      passwords.startReset(email),
    ),
    'sign_in.record_failure': restarted(announcer, 'sign_in.record_failure', (failure) =>
      accounts.recordFailure(failure),
    ),
    'webhook.deliver': {
      run: (delivery, run) => deliveries.run(delivery, run),
      failed: (delivery) => deliveries.fail(delivery),
    },
    'submission.cancel': restarted(announcer, 'submission.cancel', ({ generationId }, run) =>
      canceling.run(generationId, run),
    ),
    'deletion.carry_out': restarted(announcer, 'deletion.carry_out', ({ entryIds }, { signal }) =>
      deletions.carryOut(entryIds, signal),
    ),
    'board.purge': restarted(announcer, 'board.purge', ({ boardId }, { signal }) =>
      deletions.carryOutOf('board', boardId, signal),
    ),
    'persona.purge': restarted(announcer, 'persona.purge', ({ personaId }, { signal }) =>
      deletions.carryOutOf('persona', personaId, signal),
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
