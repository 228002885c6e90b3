import type { PostgresOperatorViews } from '#adapters/postgres';
import { keyEndOf, type Catalogue, type FollowedProvider, type ProviderFields } from '#catalogue';
import type { Settings, ShownSetting } from '#config';
import { planOf, type Plans } from '#identity';
import type { Finding } from '#wiring';
import {
  BooleanField,
  ChoiceField,
  CountsField,
  IntegerField,
  ListField,
  ObjectField,
  TextField,
  TimeField,
} from '../http/index.ts';

type Result<Name extends keyof PostgresOperatorViews> = Awaited<ReturnType<PostgresOperatorViews[Name]>>;

const HEALTH = ['well', 'ill'] as const;

export class HealthDto {
  @ChoiceField(HEALTH, 'Whether it works.', { example: 'well' }) state!: (typeof HEALTH)[number];
  @TextField('What was found.', { example: 'cannot be reached' }) finding!: string;
  @TextField('What to do; null if it works.', { nullable: true, example: 'check FAL_KEY' }) advice!: string | null;
}

const HEALTH_NOW = 'Current health; null for a model that was not checked because its provider is ill.';

export class ProviderDto {
  @TextField('Name in the catalogue.', { example: 'fal' }) id!: string;
  @TextField('Kind of its API.', { example: 'fal' }) type!: string;
  @TextField("URL of its API; null for the vendor's own.", { example: null, nullable: true }) base_url!: string | null;
  @BooleanField('Whether it has a key.', { example: true }) has_key!: boolean;
  @TextField('The last four characters of its key; null without one, and for one of fewer than 16.', {
    example: 'c7d1',
    nullable: true,
  })
  key_end!: string | null;
  @IntegerField('Submissions at a time, at most.', { example: 4 }) max_concurrent!: number;
  @IntegerField('Submissions in a minute, at most; null for any number.', { example: 60, nullable: true })
  submissions_per_minute!: number | null;
  @ObjectField(() => HealthDto, HEALTH_NOW, { nullable: true }) health!: HealthDto | null;
  @TimeField('Since when workers do not call it, as five calls in a row have failed; null while they do.', {
    nullable: true,
  })
  paused_since!: Date | null;
}

export class CatalogueModelDto {
  @TextField('Name that callers give.', { example: 'fluw' }) id!: string;
  @TextField('Name for people.', { example: 'Fluw' }) title!: string;
  @TextField('What it makes.', { example: 'image' }) kind!: string;
  @TextField('Its provider.', { example: 'fal' }) provider!: string;
  @TextField('Its name at the provider.', { example: 'fal-ai/flux/dev' }) target!: string;
  @ObjectField(() => HealthDto, HEALTH_NOW, { nullable: true }) health!: HealthDto | null;
  @CountsField('Its generations among the newest 1,000 of all workspaces, by state.', { example: { succeeded: 12 } })
  recent!: Readonly<Record<string, number>>;
}

export class ProvidersResponse {
  @ListField(() => ProviderDto, 'Providers of the catalogue.') providers!: ProviderDto[];
  @ListField(() => CatalogueModelDto, 'Models of the catalogue, and models that run in the workers.')
  models!: CatalogueModelDto[];
}

const LOCAL: HealthDto = { state: 'well', finding: 'runs in the workers', advice: null };

export function providersResponse(
  { providers, models }: Catalogue,
  found: readonly Finding[],
  recent: Result<'recentGenerations'>,
  paused: ReadonlyMap<string, Date>,
  added: readonly FollowedProvider[],
): ProvidersResponse {
  const healthOf = (check: string): HealthDto | null => {
    const { state, finding, advice } = found.find((each) => each.check === check) ?? {};
    return state ? { state, finding: finding!, advice: advice! } : null;
  };
  const remote = new Set(providers.map(({ id }) => id));
  return {
    providers: [
      ...providers.map(({ key, ...provider }) => ({
        ...fieldsOf(provider, key === null ? null : keyEndOf(key)),
        health: healthOf(`provider ${provider.id}`),
        paused_since: paused.get(provider.id) ?? null,
      })),
      ...added.flatMap(({ added: provider, problem }) =>
        problem === null
          ? []
          : {
              ...fieldsOf(provider, provider.keyEnd),
              health: { state: 'ill' as const, finding: problem, advice: null },
              paused_since: null,
            },
      ),
    ],
    models: models.map(({ id, title, kind, provider, target }) => ({
      id,
      title,
      kind,
      provider,
      target,
      health: remote.has(provider) ? healthOf(`model ${id}`) : LOCAL,
      recent: Object.fromEntries(recent.filter(({ model }) => model === id).map((each) => [each.state, each.count])),
    })),
  };
}

function fieldsOf(provider: ProviderFields & { readonly id: string }, keyEnd: string | null) {
  const { id, type, baseUrl, maxConcurrent, submissionsPerMinute } = provider;
  const limits = { max_concurrent: maxConcurrent, submissions_per_minute: submissionsPerMinute };
  return { id, type, base_url: baseUrl, has_key: keyEnd !== null, key_end: keyEnd || null, ...limits };
}

export class JobCountsDto {
  @TextField('Name of the queue or of the job.', { example: 'generation.run' }) name!: string;
  @IntegerField('Jobs that are due.', { example: 3 }) waiting!: number;
  @IntegerField('Jobs that run.', { example: 2 }) running!: number;
  @IntegerField('Jobs that are due later.', { example: 0 }) delayed!: number;
  @IntegerField('Jobs that have failed at least once.', { example: 0 }) failing!: number;
  @TimeField('When the oldest waiting job was due; null without one.', { nullable: true }) oldest_due_at!: Date | null;
}

export class QueueDto extends JobCountsDto {
  @ListField(() => JobCountsDto, 'The same by job, where there are any.') jobs!: JobCountsDto[];
}

export class QueuesResponse {
  @ListField(() => QueueDto, 'All queues.') queues!: QueueDto[];
}

export function queuesResponse(queues: readonly string[], jobs: Result<'jobs'>): QueuesResponse {
  return {
    queues: queues.map((name) => {
      const own = jobs.filter(({ queue }) => queue === name);
      const sumOf = (count: 'waiting' | 'running' | 'delayed' | 'failing') =>
        own.reduce((sum, each) => sum + each[count], 0);
      const oldest = own.flatMap((each) => each.oldest_due_at ?? []).sort((a, b) => a.getTime() - b.getTime())[0];
      return {
        name,
        waiting: sumOf('waiting'),
        running: sumOf('running'),
        delayed: sumOf('delayed'),
        failing: sumOf('failing'),
        oldest_due_at: oldest ?? null,
        jobs: own.map(({ queue: _queue, ...job }) => job),
      };
    }),
  };
}

export class AuditDto {
  @TimeField('When the comparison began.', { nullable: true }) compared_at!: Date | null;
  @IntegerField('Objects in the storage.', { example: 1200 }) objects!: number;
  @IntegerField('Objects that no record names.', { example: 0 }) without_record!: number;
  @IntegerField('Records of files.', { example: 1200 }) files!: number;
  @IntegerField('Records whose object is missing.', { example: 0 }) without_object!: number;
  @ListField(() => String, 'Keys of some objects and files among these.') examples!: readonly string[];
}

const STORES = ['disk', 'bucket'] as const;

export class StoredResponse {
  @ChoiceField(STORES, 'Where files are.', { example: 'disk' }) store!: (typeof STORES)[number];
  @TextField('Name of the bucket; null for the disk.', { nullable: true, example: 'x12' }) bucket!: string | null;
  @IntegerField('Files of all workspaces.', { example: 1200 }) files!: number;
  @IntegerField('Their size.', { example: 734_003_200 }) bytes!: number;
  @IntegerField('Temporary files, which are deleted after some hours.', { example: 3 }) temporary_files!: number;
  @IntegerField('Objects that are about to be deleted.', { example: 0 }) objects_to_delete!: number;
  @IntegerField('Uploads that are not finalized.', { example: 1 }) unfinished_uploads!: number;
  @ObjectField(() => AuditDto, 'What the last comparison of records and storage found; null before the first.', {
    nullable: true,
  })
  last_audit!: AuditDto | null;
}

export function storedResponse(
  { storage }: Settings,
  { comparedAt, found, ...sums }: Result<'storage'>,
): StoredResponse {
  return {
    store: storage.bucket === null ? 'disk' : 'bucket',
    bucket: storage.bucket,
    ...sums,
    last_audit: found && {
      compared_at: comparedAt,
      objects: found.objects,
      without_record: found.strayObjects,
      files: found.files,
      without_object: found.lostFiles,
      examples: found.examples,
    },
  };
}

export class PlanDto {
  @TextField('Identifier.', { example: 'pro' }) id!: string;
  @IntegerField('Credits in a month.', { example: 1000 }) monthly_credits!: number;
  @BooleanField('Whether teams may be on it.', { example: false }) is_team_plan!: boolean;
  @BooleanField('Whether the plan is configured; workspaces may be on a plan that was removed.', { example: true })
  is_configured!: boolean;
  @IntegerField('Workspaces on it.', { example: 12 }) workspaces!: number;
  @IntegerField('Teams on it.', { example: 2 }) teams!: number;
}

export class PlansResponse {
  @ListField(() => PlanDto, 'The configured plans, and removed plans that workspaces still use.') plans!: PlanDto[];
}

export function plansResponse(plans: Plans, used: Result<'workspacesByPlan'>): PlansResponse {
  const ids = new Set([...Object.keys(plans), ...used.map(({ plan }) => plan)]);
  return {
    plans: [...ids].map((id) => {
      const { monthlyCredits, teams } = planOf(plans, id);
      const counted = used.find(({ plan }) => plan === id);
      return {
        id,
        monthly_credits: monthlyCredits,
        is_team_plan: teams,
        is_configured: Object.hasOwn(plans, id),
        workspaces: counted?.workspaces ?? 0,
        teams: counted?.teams ?? 0,
      };
    }),
  };
}

export class SettingDto {
  @TextField('The environment variable.', { example: 'LOG_LEVEL' }) variable!: string;
  @TextField('What it is for, as Markdown.', { example: 'Least severe level that is logged.' }) description!: string;
  @TextField('Its default, as Markdown; null without one.', { nullable: true, example: '`info`' })
  default!: string | null;
  @BooleanField('Whether it is set.', { example: false }) is_set!: boolean;
  @TextField('Its value without passwords; null for secrets, and if it is not set.', { nullable: true })
  value!: string | null;
}

export class SettingsResponse {
  @ListField(() => SettingDto, 'All settings, in the order of the documentation.') settings!: SettingDto[];
}

export function settingsResponse(shown: readonly ShownSetting[]): SettingsResponse {
  return { settings: shown.map(({ isSet, ...setting }) => ({ ...setting, is_set: isSet })) };
}

export class CheckDto extends HealthDto {
  @TextField('What was examined.', { example: 'database' }) check!: string;
}

export class ChecksResponse {
  @ListField(() => CheckDto, 'The checks of `npm run cli -- doctor`.') checks!: readonly CheckDto[];
}
