import { createHash, randomBytes } from 'node:crypto';
import { PostgresCreditAudit, PostgresTeams, PostgresTeamViews, PostgresTokens } from '#adapters/postgres';
import { monthOf } from '#credits';
import { Tokens, type Actor, type TokenHash, type TokenSecret } from '#identity';
import { systemClock } from '#kernel';
import { aToken } from '../../libs/identity/src/testing/doubles.ts';
import { onBenchDatabase, type BenchDatabase } from './bench-database.ts';
import { countStatements, median, timed } from './measure.ts';

const SMALL = { name: 'small', members: 10, entries: 100 };
const LARGE = { name: 'large', members: 10_000, entries: 1_000_000 };
const CALLS = 2000;
const MOST_STATEMENTS = 2;
/** Of two medians of the same in one run; the difference between two runs of one team is as large. */
const NOISE = 1.2;

const clock = systemClock;
const hashOf = (secret: TokenSecret): TokenHash => createHash('sha256').update(secret).digest('hex') as TokenHash;

/** What reading about a team costs, in statements and in time, when it is small and when it is large. */
await onBenchDatabase(async (bench) => {
  const { database, query, pool } = bench;
  const statements = countStatements(pool);
  const secrets = { create: newSecret, hash: hashOf };
  const tokens = new Tokens(new PostgresTokens(database), secrets, clock);
  const views = new PostgresTeamViews(database);
  const month = monthOf(clock.now());
  const page = { limit: 50, after: null };
  const reads = {
    overview: ({ workspaceId }: Actor) => views.overview(workspaceId, month),
    members: ({ workspaceId }: Actor) => views.members(workspaceId, clock.now(), page),
    usage: ({ workspaceId }: Actor) => views.usage(workspaceId, month, null),
  };
  const owners = { small: await fill(bench, SMALL), large: await fill(bench, LARGE) };
  await query('vacuum analyze');

  for (const [name, read] of Object.entries(reads)) {
    const calls = name === 'usage' ? 20 : CALLS;
    const taken = { small: [] as number[], large: [] as number[] };
    let most = 0;
    for (let round = 0; round < calls; round++) {
      for (const size of ['small', 'large'] as const) {
        statements.count = 0;
        taken[size].push(await timed(async () => read((await tokens.authenticate(owners[size]))!)));
        most = Math.max(most, statements.count);
      }
    }
    const [small, large] = [median(taken.small), median(taken.large)];
    console.log(
      `${name}: ${most} statements, the token's included; median ${small.toFixed(2)} ms with ` +
        `${SMALL.members} members and ${SMALL.entries} entries, ${large.toFixed(2)} ms with ` +
        `${LARGE.members} and ${LARGE.entries}`,
    );
    const tooSlow = name !== 'usage' && large > small * NOISE;
    if (most > MOST_STATEMENTS || tooSlow) process.exitCode = 1;
  }
  const faults = await new PostgresCreditAudit(database).faults();
  console.log(`faults in the books: ${faults.length}`);
  if (faults.length) process.exitCode = 1;
});

/** A team of so many members, whose ledger has so many entries this month; gives a token of its owner. */
async function fill(
  { database, query }: BenchDatabase,
  { name, members, entries }: typeof SMALL,
): Promise<TokenSecret> {
  const users = await query<{ id: number }>(
    `insert into users (email, created_at)
     select $1 || n || '@example.com', now() from generate_series(1, $2::integer) n returning id`,
    [name, members],
  );
  const ids = users.map(({ id }) => id);
  const [ownerUserId, ...others] = ids as [number, ...number[]];
  const openedAt = clock.now();
  const workspaceId = await new PostgresTeams(database).open({ ownerUserId, plan: 'enterprise', openedAt });
  await query(
    `insert into memberships (workspace_id, user_id, is_team, role, added_by, joined_at)
     select $1, user_id, true, 'member', $2, now() from unnest($3::bigint[]) user_id`,
    [workspaceId, ownerUserId, others],
  );
  await query(
    `with entry as (
       insert into credit_entries (key, workspace_id, user_id, month, kind, amount, created_at)
       select 'reserve:' || $1::bigint || '-' || n, $1, ($2::bigint[])[1 + n % cardinality($2::bigint[])],
         date_trunc('month', now() at time zone 'utc'), 'reserve', 1, now()
       from generate_series(1, $3::integer) n
       returning workspace_id, user_id, month
     ), usage as (
       insert into credit_usage (workspace_id, month, user_id, used, generations)
       select workspace_id, month, user_id, count(*), count(*) from entry group by 1, 2, 3
     )
     insert into credit_months (workspace_id, month, used)
     select workspace_id, month, count(*) from entry group by 1, 2`,
    [workspaceId, ids, entries],
  );
  const secret = newSecret();
  await new PostgresTokens(database).add(aToken({ userId: ownerUserId, hash: hashOf(secret), createdAt: openedAt }));
  return secret;
}

function newSecret(): TokenSecret {
  return `x12_${randomBytes(32).toString('base64url')}` as TokenSecret;
}
