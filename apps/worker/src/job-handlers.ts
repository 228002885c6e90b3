import type { JobHandler, JobHandlers } from '#adapters/queue';
import { Boards, MediaItems, ProcessMedia } from '#board';
import { FileDeletion } from '#files';
import { GenerationRuns, Generations, SubmissionCanceling } from '#generation';
import type { Job, JobName, JobPayloads, Jobs } from '#kernel';
import { TrainingProcessing } from '#persona';
import { InvitationMails } from '#team';
import { DeliveryRuns } from '#webhooks';
import { jobs, provideMade, token } from '#wiring';

export const handlers = token<JobHandlers>('JobHandlers');

/** How long a job that was given up waits until it starts anew. */
const RESTART_SECONDS = 600;

/** What each job runs, and what happens when it is given up. */
export const jobHandlers = provideMade(
  handlers,
  [
    jobs,
    ProcessMedia,
    MediaItems,
    Boards,
    FileDeletion,
    GenerationRuns,
    Generations,
    SubmissionCanceling,
    TrainingProcessing,
    InvitationMails,
    DeliveryRuns,
  ],
  (
    announcer,
    processMedia,
    media,
    boards,
    deletion,
    generationRuns,
    generations,
    canceling,
    trainings,
    mails,
    deliveries,
  ): JobHandlers => ({
    'media.process': {
      run: ({ mediaId, revision }, run) => processMedia.run(mediaId, revision, run),
      giveUp: ({ mediaId, revision }, error) => media.fail(mediaId, revision, error),
    },
    'training.process': {
      run: (training, run) => trainings.run(training, run),
      giveUp: (training, error) => trainings.giveUp(training, error),
    },
    'generation.run': generation(generationRuns, generations),
    'generation.finish': generation(generationRuns, generations),
    'invitation.send': {
      run: ({ invitationId }, run) => mails.send(invitationId, run),
      giveUp: ({ invitationId }, error, run) => mails.giveUp(invitationId, error, run),
    },
    'webhook.deliver': {
      run: (delivery, run) => deliveries.run(delivery, run),
      giveUp: (delivery) => deliveries.giveUp(delivery),
    },
    'submission.cancel': restarted(announcer, 'submission.cancel', ({ generationId }, run) =>
      canceling.run(generationId, run),
    ),
    'board.purge': restarted(announcer, 'board.purge', ({ boardId }, run) => boards.purge(boardId, run)),
    'persona.purge': restarted(announcer, 'persona.purge', async ({ personaId }, { signal }) => {
      await generations.endOfPersona(personaId, signal);
      await deletion.purgePersona(personaId, signal);
    }),
    'files.reclaim': restarted(announcer, 'files.reclaim', ({ fileIds }, { signal }) =>
      deletion.deleteUnneeded(fileIds, signal),
    ),
    'files.erase': restarted(announcer, 'files.erase', ({ fileIds }, { workspaceId, signal }) =>
      deletion.erase(fileIds, workspaceId, signal),
    ),
    'files.restore': restarted(announcer, 'files.restore', ({ keys }) => deletion.bringBack(keys)),
  }),
);

/** On a remote provider it is run step by step, by either job. */
function generation(
  runs: GenerationRuns,
  generations: Generations,
): JobHandler<JobPayloads['generation.run' | 'generation.finish']> {
  return {
    run: (payload, run) => runs.run(payload, run),
    giveUp: ({ generationId }, error) => generations.giveUp(generationId, error),
  };
}

/** Nobody waits for it, but nothing may be left behind: it is announced again when given up. */
function restarted<Name extends JobName>(
  announcer: Jobs,
  name: Name,
  run: JobHandler<JobPayloads[Name]>['run'],
): JobHandler<JobPayloads[Name]> {
  const giveUp: JobHandler<JobPayloads[Name]>['giveUp'] = (payload, _error, { workspaceId }) =>
    announcer.announce({ name, payload, workspaceId } as Job, { delaySeconds: RESTART_SECONDS });
  return { run, giveUp };
}
