import { sql } from 'kysely';
import { type Database, readSchemaVersion } from '#adapters/postgres';
import { inspectRedis, type RedisConnection } from '#adapters/redis';
import type { Settings } from '#config';
import type { Plans } from '#identity';
import type { Mail } from '#mail';
import { demand, Ill } from './check.ts';

const MAX_SKEW_SECONDS = 2;
const MAX_WAIT_SECONDS = 600;

export async function checkDatabase(database: Database): Promise<string> {
  const { version } = await database.kysely
    .selectNoFrom(sql<string>`current_setting('server_version')`.as('version'))
    .executeTakeFirstOrThrow();
  const { pending, newer } = await readSchemaVersion(database);
  const last = newer.at(-1);
  demand(last === undefined, `a newer version has migrated it (${last})`, 'start that version, or a newer one');
  demand(pending.length === 0, `${pending.length} migrations are pending`, 'run `npm run migrate`');
  return `PostgreSQL ${version}, all migrations have run`;
}

export async function checkClock(database: Database): Promise<string> {
  const before = Date.now();
  const { now } = await database.kysely.selectNoFrom(sql<Date>`clock_timestamp()`.as('now')).executeTakeFirstOrThrow();
  const here = (before + Date.now()) / 2;
  const skew = Math.abs(now.getTime() - here) / 1000;
  demand(
    skew <= MAX_SKEW_SECONDS,
    `the clocks of this machine and of the database differ by ${skew.toFixed(1)} s`,
    'synchronize both machines with the same NTP servers',
  );
  return 'the clocks of this machine and of the database agree';
}

export async function checkQueue(database: Database): Promise<string> {
  const { due, oldest } = await database.kysely
    .selectFrom('jobs')
    .select((eb) => [
      eb.fn.countAll<number>().as('due'),
      eb.fn.min('due_at').filterWhere('started_at', 'is', null).as('oldest'),
    ])
    .where('due_at', '<=', sql<Date>`now()`)
    .executeTakeFirstOrThrow();
  const seconds = oldest ? Math.round((Date.now() - oldest.getTime()) / 1000) : 0;
  const advice = 'make sure that a worker runs, and add one if it is busy';
  demand(seconds <= MAX_WAIT_SECONDS, `a job has been waiting for ${seconds} s`, advice);
  return `${due} jobs run or wait`;
}

/** Checks that the plan of each workspace is configured: with another plan it has neither credits nor a team. */
export async function checkPlans(database: Database, plans: Plans): Promise<string> {
  const used = await database.kysely
    .selectFrom('workspaces')
    .select((eb) => ['plan', eb.fn.countAll<number>().as('workspaces'), eb.fn.min('id').as('first')])
    .groupBy('plan')
    .orderBy('plan')
    .execute();
  const names = Object.keys(plans).join(', ');
  const unknown = used
    .filter(({ plan }) => !Object.hasOwn(plans, plan))
    .map(({ plan, workspaces, first }) => `${plan} (${workspaces} workspaces, such as ${first})`);
  demand(
    unknown.length === 0,
    `workspaces are on plans that are not configured: ${unknown.join(', ')}`,
    `add the plan to PLANS, or run \`npm run cli -- plans set <workspace> <plan>\` with one of ${names}`,
  );
  return `every workspace is on one of the plans ${names}`;
}

export async function checkRedis({ client }: RedisConnection): Promise<string> {
  const { server, flaws } = await inspectRedis(client);
  const joined = (part: 'finding' | 'advice') => flaws.map((flaw) => flaw[part]).join('; ');
  demand(flaws.length === 0, joined('finding'), joined('advice'));
  return `${server}, keeps its data`;
}

export async function checkMail(mail: Mail, { data, mail: { smtpUrl } }: Settings): Promise<string> {
  try {
    await mail.check();
  } catch (error) {
    const finding = error instanceof Error ? error.message : String(error);
    const advice = smtpUrl === null ? `make ${data.mail} writable` : 'check SMTP_URL and its server';
    throw new Ill(finding, advice, { cause: error });
  }
  return smtpUrl === null ? `kept as files in ${data.mail}` : 'the mail server accepts mail';
}
