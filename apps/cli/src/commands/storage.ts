import { Command } from 'commander';
import { ReconcileStorage } from '#upload';
import { integerArgument } from '../integer-argument.ts';
import type { Session } from '../session.ts';
import type { Row } from '../table.ts';

const EXAMPLES = 20;

export function storageCommand(session: Session): Command {
  const storage = new Command('storage').description('The stored objects, and what is recorded of them.');

  session.action(
    storage
      .command('audit')
      .description(
        'compares objects and records both ways, but for those of the last day; fails when they differ',
      )
      .option(
        '--fix',
        'delete objects without a record, and records without an object that nothing refers to',
      )
      .option('--examples <number>', 'how many keys to show', integerArgument, EXAMPLES),
    async (service, { fix = false, examples }: { fix?: boolean; examples: number }) => {
      const result = await service.get(ReconcileStorage).run({ fix, examples });
      return {
        objects: result.objects,
        without_record: result.strayObjects,
        files: result.files,
        without_object: result.lostFiles,
        removed: result.removed,
        examples: result.examples,
      };
    },
    (answer) => {
      const { without_record, without_object, removed } = answer as Row;
      return Number(without_record) + Number(without_object) > Number(removed);
    },
  );

  return storage;
}
