import type { Catalog } from '#adapters/catalog';
import type { PostgresOperatorViews } from '#adapters/postgres';
import type { Settings } from '#config';
import { planOf, type DirectoryUser, type Plans } from '#identity';
import type { Finding } from '#wiring';

type Result<Name extends keyof PostgresOperatorViews> = Awaited<ReturnType<PostgresOperatorViews[Name]>>;

/** Health as of now; `null` for what was not asked, as its provider is not well. */
type Health = Pick<Finding, 'state' | 'finding' | 'advice'> | null;

const LOCAL: Health = { state: 'well', finding: 'runs in the workers', advice: null };

export function providersResponse(
  { providers, models }: Catalog,
  found: readonly Finding[],
  recent: Result<'recentGenerations'>,
) {
  const healthOf = (check: string): Health => {
    const { state, finding, advice } = found.find((each) => each.check === check) ?? {};
    return state ? { state, finding: finding!, advice: advice! } : null;
  };
  const remote = new Set(providers.map(({ id }) => id));
  return {
    status: true,
    providers: providers.map(({ id, type, maxConcurrent, submissionsPerMinute }) => ({
      id,
      type,
      max_concurrent: maxConcurrent,
      submissions_per_minute: submissionsPerMinute,
      health: healthOf(`provider ${id}`),
    })),
    models: models.map(({ id, title, kind, provider, target }) => ({
      id,
      title,
      kind,
      provider,
      target,
      health: remote.has(provider) ? healthOf(`model ${id}`) : LOCAL,
      // Among the newest 1,000 generations of all workspaces.
      recent: Object.fromEntries(recent.filter(({ model }) => model === id).map((each) => [each.state, each.count])),
    })),
  };
}

export function queuesResponse(queues: readonly string[], jobs: Result<'jobs'>) {
  return {
    status: true,
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

export function storageResponse({ storage }: Settings, { comparedAt, found, ...sums }: Result<'storage'>) {
  return {
    status: true,
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

export function userDto({ id, email, name, createdAt, workspaceId, plan, isTeam, role }: DirectoryUser) {
  const workspace = { id: workspaceId, plan, is_team: isTeam };
  return { id, email, name, created_at: createdAt, workspace, role };
}

/** The configured plans, and those that are not configured any more but still used. */
export function plansResponse(plans: Plans, used: Result<'workspacesByPlan'>) {
  const ids = new Set([...Object.keys(plans), ...used.map(({ plan }) => plan)]);
  return {
    status: true,
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
