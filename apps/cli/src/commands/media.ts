import { Command } from 'commander';
import { MediaItems } from '#board';
import type { Session } from '../session.ts';

export function mediaCommand(session: Session): Command {
  const media = new Command('media').description('Manages the media of boards.');

  media
    .command('retry')
    .description('processes failed media items again, after items that clients add meanwhile')
    .option('--error <code>', 'only items that failed with this code, such as url_unreachable')
    .action(
      session.run(async (service, { error = null }: { error?: string | null }) => ({
        retried: await service.get(MediaItems).retryFailed(error),
      })),
    );

  return media;
}
