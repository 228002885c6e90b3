import { Command } from 'commander';
import { RetryFailedMedia } from '#board';
import type { Session } from '../session.ts';

export function mediaCommand(session: Session): Command {
  const media = new Command('media').description('The media of boards.');

  session.action(
    media
      .command('retry')
      .description('processes failed media once more; what clients add meanwhile goes first')
      .option('--error <code>', 'only those that failed with this code, such as url_unreachable'),
    async (service, { error = null }: { error?: string | null }) => ({
      retried: await service.get(RetryFailedMedia).run(error),
    }),
  );

  return media;
}
