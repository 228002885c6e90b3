import { Command } from 'commander';
import { loadS3, type BucketRules } from '#adapters/storage';
import { SettingsError } from '#config';
import { systemClock } from '#kernel';
import { StorageReconciliation, stagingDays } from '#files';
import { integerArgument } from '../arguments.ts';
import type { Session } from '../session.ts';
import type { Row } from '../table.ts';

const EXAMPLES = 20;

export function storageCommand(session: Session): Command {
  const storage = new Command('storage').description('The stored objects and their records.');

  storage
    .command('audit')
    .description('compares objects and records older than a day, both ways; fails when they differ')
    .option('--fix', 'delete objects without a record, and records without an object that nothing refers to')
    .option('--examples <number>', 'how many keys to show', integerArgument, EXAMPLES)
    .action(
      session.run(
        async (service, { fix = false, examples }: { fix?: boolean; examples: number }) => {
          const result = await service.get(StorageReconciliation).run({ fix, examples });
          return {
            objects: result.objects,
            without_record: result.strayObjects,
            files: result.files,
            without_object: result.lostFiles,
            removed: result.removed,
            examples: result.examples,
          };
        },
        ({ without_record, without_object, removed }) => without_record + without_object > removed,
      ),
    );

  storage
    .command('recover')
    .description('restores the deleted bytes of files that miss them: run it after the database was restored')
    .action(
      session.run((service) =>
        service
          .get(StorageReconciliation)
          .recover()
          .then((result) => ({ ...result })),
      ),
    );

  storage
    .command('setup')
    .description('creates the bucket and sets its permissions, CORS and lifecycle; can be repeated')
    .option('--print', 'change nothing: print the commands to do it by hand')
    .action(
      session.runWithSettings(async (settings, { print = false }: { print?: boolean }) => {
        const { bucket, ...s3 } = settings.storage;
        if (bucket === null) {
          throw new SettingsError('S3_BUCKET is missing: without a bucket there is nothing to set up');
        }
        const { bucketRules, setUpBucket } = await loadS3();
        const days = stagingDays(settings.uploads.urlTtlSeconds);
        if (print) return commandsFor(bucket, bucketRules(bucket, days));
        return setUpBucket({ bucket, ...s3, clock: systemClock }, days);
      }),
    );

  return storage;
}

/** The equivalent commands of the AWS command line. */
function commandsFor(bucket: string, { policy, cors, lifecycle, publicAccess }: BucketRules): Row {
  const command = (name: string, option: string, document: unknown): string =>
    `aws s3api ${name} --bucket ${bucket} --${option} '${JSON.stringify(document)}'`;
  const block = 'public-access-block-configuration';
  return {
    bucket: `aws s3api create-bucket --bucket ${bucket}`,
    public_access: command('put-public-access-block', block, publicAccess),
    policy: command('put-bucket-policy', 'policy', policy),
    cors: command('put-bucket-cors', 'cors-configuration', { CORSRules: cors }),
    lifecycle: command('put-bucket-lifecycle-configuration', 'lifecycle-configuration', { Rules: lifecycle }),
  };
}
