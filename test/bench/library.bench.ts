import {
  PostgresLibraryMarks,
  PostgresLibraryViews,
  PostgresPictureNames,
  PostgresUnitOfWork,
} from '#adapters/postgres';
import { Library, type LibraryCursor, type LibraryFilter } from '#library';
import { onBenchDatabase, type BenchDatabase } from './bench-database.ts';
import { megabytes, quantile, timed } from './measure.ts';

/**
 * How long searches take in a workspace of a million items, with ten other workspaces of a hundredth of it each; the size of
 * the table, and what its rows cost when files are added. `ITEMS=100000` makes it smaller.
 */
const ITEMS = Number(process.env.ITEMS ?? 1_000_000);
const TIMES = Number(process.env.TIMES ?? 40);
const LIMIT = 50;
const PERSONAS = 40;
const MODELS = 7;

/** By frequency: in every second prompt, every tenth, …, in a few, in none. */
const WORDS = { frequent: 'portrait', usual: 'lantern', rare: 'quartz', wrong: 'lanturn', unknown: 'xylophone' };

await onBenchDatabase(async (bench) => {
  const seconds = (await timed(() => fill(bench))) / 1000;
  console.log(`${ITEMS} items, filled in ${seconds.toFixed(0)} s`);
  await printSizes(bench);
  const views = new PostgresLibraryViews(bench.database);
  const like = (
    await bench.query<{ id: number }>('select max(file_id) as id from library_items where workspace_id = 1')
  )[0]!.id;
  const at = (share: number) => new Date(Date.UTC(2025, 0, 1) + share * 365 * 86_400_000);
  const searches: Record<string, LibraryFilter> = {
    newest: {},
    'newest of a year ago': { before: at(0.1) },
    'by rating': { sort: 'rating' },
    'a persona': { personaId: 3 },
    'a persona and a model, rated': { personaId: 3, model: 'model-2', rating: 4 },
    'a rare tag': { tags: ['tag 977'] },
    'two frequent tags': { tags: ['tag 1', 'tag 2'] },
    'frequent word': { text: WORDS.frequent },
    'frequent word, newest': { text: WORDS.frequent, sort: 'newest' },
    'usual word': { text: WORDS.usual },
    'rare word': { text: WORDS.rare },
    'two words': { text: `${WORDS.usual} ${WORDS.frequent}` },
    'beginning of words': { text: 'por lan' },
    'typing error': { text: WORDS.wrong },
    'unknown word': { text: WORDS.unknown },
    'words with filters': { text: `${WORDS.usual} ${WORDS.frequent}`, kinds: ['image'], model: 'model-3', rating: 2 },
    'words of a persona': { text: WORDS.usual, personaId: 5, origin: 'output' },
    colour: { color: '#c04030' },
    'colour and word': { color: '#c04030', text: WORDS.usual },
    likeness: { like },
    'likeness and persona': { like, personaId: 3 },
  };
  console.log(`ms of ${TIMES} searches, first and third page     p50     p95     max`);
  for (const [name, filter] of Object.entries(searches)) {
    const each: number[] = [];
    for (let time = 0; time < TIMES; time++)
      each.push(await timed(() => views.search(1, filter, { limit: LIMIT, after: null })));
    let after: LibraryCursor | null = null;
    for (let page = 0; page < 2; page++) after = (await views.search(1, filter, { limit: LIMIT, after })).next;
    const later = after;
    if (later)
      for (let time = 0; time < TIMES; time++)
        each.push(await timed(() => views.search(1, filter, { limit: LIMIT, after: later })));
    console.log(
      `${name.padEnd(44)}${[0.5, 0.95, 1].map((share) => quantile(each, share).toFixed(1).padStart(8)).join('')}`,
    );
  }
  const tags = await times(() => views.tags(1, 'tag 1', LIMIT, null));
  console.log(`tags by prefix, with counts, p95 ${quantile(tags, 0.95).toFixed(1)} ms`);
  await measureWrites(bench);
});

async function times(work: () => Promise<unknown>): Promise<number[]> {
  const each: number[] = [];
  for (let time = 0; time < TIMES; time++) each.push(await timed(work));
  return each;
}

async function printSizes({ query }: BenchDatabase): Promise<void> {
  const sizes = await query<{ name: string; bytes: number }>(
    `select relname as name, pg_relation_size(oid) as bytes from pg_class
     where relname like 'library_%' and relkind in ('r', 'i') order by relname`,
  );
  for (const { name, bytes } of sizes) console.log(`${name.padEnd(44)}${megabytes(bytes).padStart(8)}`);
  const [whole] = await query<{ bytes: number }>(`select pg_total_relation_size('library_items') as bytes`);
  console.log(`bytes a row, indexes included: ${(whole!.bytes / (ITEMS * 1.1)).toFixed(0)}`);
}

/** Milliseconds of 1,000 rows of files, with and without their rows of the library, and of tagging 500 items. */
async function measureWrites({ database, query }: BenchDatabase): Promise<void> {
  const rows = 1_000;
  const file = (
    from: number,
  ) => `insert into files (workspace_id, origin, key, filename, size, content_type, created_at)
    select 1, 'upload', 'files/' || md5('w' || n || '-${from}') || '/a.png', 'a.png', 1, 'image/png', now()
    from generate_series(1, ${rows}) n`;
  const item = `insert into library_items (file_id, workspace_id, kind, origin, words, colors, shape, created_at, look_due_at)
    select f.id, 1, 'image', 'upload', i.words, i.colors, i.shape, f.created_at, null
    from (select id, created_at, row_number() over () as n from files order by id desc limit ${rows}) f
    join (select words, colors, shape, row_number() over () as n from library_items where workspace_id = 1 limit ${rows}) i using (n)`;
  const files: number[] = [];
  const items: number[] = [];
  for (let round = 0; round < 9; round++) {
    files.push(await timed(() => query(file(round))));
    items.push(await timed(() => query(item)));
  }
  const micros = (each: number[]) => ((quantile(each, 0.5) / rows) * 1000).toFixed(0);
  console.log(`µs of a row: ${micros(files)} of a file, ${micros(items)} more of its item`);
  const names = new PostgresPictureNames(database);
  const library = new Library(new PostgresLibraryMarks(database), names, new PostgresUnitOfWork(database));
  const ids = (
    await query<{ id: number }>('select file_id as id from library_items where workspace_id = 1 limit 500')
  ).map(({ id }) => id);
  const tagging = await times(() => library.tag({ workspaceId: 1 }, ids, { add: ['bench'] }));
  console.log(`tagging 500 items, p50 ${quantile(tagging, 0.5).toFixed(0)} ms`);
}

async function fill({ newUser, pool }: BenchDatabase): Promise<void> {
  await newUser();
  const all = Math.round(ITEMS * 1.1);
  // Every eleventh item is in one of ten other workspaces.
  const workspace = 'case when n % 11 = 0 then 2 + n % 10 else 1 end';
  const word = (each: string, every: number, seed: string) =>
    `case when hashint8(n * 31 + ${seed}) % ${every} = 0 then '${each} ' else '' end`;
  const prompt = `'a ' || ${word(WORDS.frequent, 2, '1')} || ${word(WORDS.usual, 12, '2')} || ${word(WORDS.rare, 5_000, '3')}
    || (select string_agg('word' || abs(hashint8(n * 57 + k)) % (20 + k * k * 90), ' ') from generate_series(1, 18) k)`;
  const statements = [
    `insert into workspaces (kind, plan, created_at) select 'team', 'free', now() from generate_series(2, 11)`,
    `insert into personas (workspace_id, created_by, name, created_at, updated_at)
     select 1, 1, 'Ada ' || n, now(), now() from generate_series(1, ${PERSONAS}) n`,
    `insert into files (workspace_id, persona_id, origin, key, filename, size, content_type, created_at)
     select ${workspace}, 1 + n % ${PERSONAS}, 'output', 'files/' || md5(n::text) || '/a.png', 'generation-' || n || '.png', 500000, 'image/png',
       timestamptz '2025-01-01' + interval '365 days' * (n::double precision / ${all})
     from generate_series(1::bigint, ${all}) n`,
    `insert into generations (workspace_id, user_id, persona_id, model, kind, state, prompt, parameters, cost, created_at)
     select ${workspace}, 1, 1 + n % ${PERSONAS}, 'model-' || n % ${MODELS}, 'image', 'succeeded', ${prompt}, '{}', 4, now()
     from generate_series(1::bigint, ${all}) n`,
    `insert into generation_outputs (generation_id, position, file_id, content_type, width, height)
     select n, 1, n, 'image/png', 1024, 1024 from generate_series(1::bigint, ${all}) n`,
    `insert into library_items (file_id, workspace_id, kind, origin, persona_id, user_id, generation_id, model, width, height, placeholder,
       rating, tags, colors, shape, words, created_at)
     select f.id, f.workspace_id, 'image', 'output', f.persona_id, 1, g.id, g.model, 1024, 1024, '3OcRJYB4d3h/iIeHeEh3eIhw+j2w',
       case when f.id % 5 = 0 then f.id / 5 % 6 else 0 end, case when f.id % 3 = 0 then array['tag ' || f.id / 3 % 1000, 'tag ' || (f.id / 7) % 5] else '{}' end,
       array(select (abs(hashint8(f.id * 13 + k)) % 32768)::smallint from generate_series(1, 5) k), hashint8(f.id)::bit(32)::text::bit(32) || hashint8(f.id * 7)::bit(32),
       (format('''workspace=%s'' ''kind=image'' ''origin=output'' ''model=%s'' ''persona=%s'' ''user=1''', f.workspace_id, g.model, f.persona_id)
         || case when f.id % 3 = 0 then format(' ''tag=tag %s'' ''tag=tag %s''', f.id / 3 % 1000, (f.id / 7) % 5) else '' end)::tsvector
         || setweight(to_tsvector('simple', case when f.id % 3 = 0 then 'tag' else '' end), 'A') || setweight(to_tsvector('simple', g.prompt), 'B')
         || setweight(to_tsvector('simple', 'generation ' || f.id || ' png'), 'C'),
       f.created_at
     from files f join generations g on g.id = f.id order by f.id`,
    `insert into library_words (workspace_id, word) select 1, word from (select distinct unnest(tsvector_to_array(to_tsvector('simple', prompt))) as word
       from generations where workspace_id = 1 and id % 20 = 0 or prompt like '%${WORDS.rare}%') words on conflict do nothing`,
    `insert into library_tags (workspace_id, tag) select distinct 1, unnest(tags) from library_items where workspace_id = 1`,
  ];
  const client = await pool.connect();
  try {
    await client.query('set session_replication_role = replica');
    for (const setting of [`max_wal_size = '8GB'`, 'full_page_writes = off'])
      await client.query(`alter system set ${setting}`);
    await client.query('select pg_reload_conf()');
    const { rows: indexes } = await client.query<{ name: string; definition: string }>(
      `select indexname as name, indexdef as definition from pg_indexes where tablename in ('library_items', 'files', 'generations')
       and indexname not in (select conname from pg_constraint)`,
    );
    for (const { name } of indexes) await client.query(`drop index ${name}`);
    for (const statement of statements) await client.query(statement);
    await client.query(`set maintenance_work_mem = '256MB'`);
    for (const { definition } of indexes) await client.query(definition);
    await client.query('vacuum analyze');
  } finally {
    client.release(true);
  }
}
