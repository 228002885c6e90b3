import { sql } from 'kysely';
import { isTypingErrorOf, mayHaveTypingErrors, queryWords, wordsOf, type QueryWord } from '#library';
import type { Database } from '../database.ts';
import { brief, build, prepared } from '../prepared.ts';

/** Corrections of one word. */
const MAX_CORRECTIONS = 6;
const MAX_CANDIDATES = 50;
/** Maximum personas whose names a query is compared with. */
const MAX_PERSONAS = 2_000;
const MAX_NAME_WORDS = 20;
/** Two words with a typing error may have few trigrams in common. */
const LEAST_SIMILARITY = '0.2';

/** The words of a query, and what they may mean in this workspace; empty for a text without words. */
export async function understand(database: Database, workspaceId: number, text: string): Promise<readonly QueryWord[]> {
  const words = queryWords(text);
  if (words.length === 0) return [];
  const personas = await database.run(selectPersonas, { workspaceId });
  const names = personas.map(({ id, name }) => ({ id, words: wordsOf(name, MAX_NAME_WORDS) }));
  const personaIds = (isMeant: (word: string) => boolean) =>
    names.filter((name) => name.words.some(isMeant)).map(({ id }) => id);
  const plain = words.map((word) => ({
    word,
    corrections: [] as readonly string[],
    personaIds: personaIds((each) => each.startsWith(word)),
  }));
  const unknown = await findUnknown(database, workspaceId, plain);
  if (unknown.length === 0) return plain;
  const similar = await findSimilar(database, workspaceId, unknown);
  return plain.map((each) =>
    unknown.includes(each.word)
      ? {
          word: each.word,
          corrections: (similar.get(each.word) ?? []).slice(0, MAX_CORRECTIONS),
          personaIds: personaIds((known) => isTypingErrorOf(each.word, known)),
        }
      : each,
  );
}

/** Words that no item and no persona has, nor a word that begins with them. */
async function findUnknown(
  database: Database,
  workspaceId: number,
  words: readonly QueryWord[],
): Promise<readonly string[]> {
  const asked = words.filter(({ word, personaIds }) => personaIds.length === 0 && mayHaveTypingErrors(word));
  if (asked.length === 0) return [];
  const unknown = await database.run(selectUnknown, { workspaceId, words: asked.map(({ word }) => word) });
  return unknown.map(({ word }) => word);
}

async function findSimilar(
  database: Database,
  workspaceId: number,
  words: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await database.transaction(async () => {
    await database.run(forgiveMore, {});
    return database.run(selectSimilar, { workspaceId, words });
  });
  return new Map(
    words.map((word) => [
      word,
      rows.flatMap(({ asked, known }) => (asked === word && isTypingErrorOf(word, known) ? [known] : [])),
    ]),
  );
}

const selectPersonas = brief(
  prepared<{ workspaceId: number }>()((param) =>
    build
      .selectFrom('personas')
      .select(['id', 'name'])
      .where((eb) => eb.and({ workspace_id: param('workspaceId'), deletion_id: null }))
      .orderBy('id', 'desc')
      .limit(sql.lit(MAX_PERSONAS)),
  ),
);

type Words = { workspaceId: number; words: readonly string[] };

const asked = (words: Parameters<typeof sql.join>[0][number]) =>
  sql<{ word: string }>`unnest(${words}::text[])`.as<'asked'>(sql`asked (word)`);

const selectUnknown = brief(
  prepared<Words>()((param) =>
    build
      .selectFrom(asked(param('words')))
      .select('asked.word')
      .where((eb) =>
        eb.not(
          eb.exists(
            eb
              .selectFrom('library_words as known')
              .where('known.workspace_id', '=', param('workspaceId'))
              .where(sql<boolean>`known.word >= asked.word collate "C"`)
              .where(sql<boolean>`known.word < (asked.word || chr(1114111)) collate "C"`),
          ),
        ),
      ),
  ),
);

const forgiveMore = prepared<object>()(() =>
  build.selectNoFrom(
    sql<string>`set_config('pg_trgm.similarity_threshold', ${sql.lit(LEAST_SIMILARITY)}, true)`.as('threshold'),
  ),
);

/** The most similar words first. */
const selectSimilar = prepared<Words>()((param) =>
  build
    .selectFrom(asked(param('words')))
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('library_words')
          .select('library_words.word as known')
          .where('library_words.workspace_id', '=', param('workspaceId'))
          .where(sql<boolean>`library_words.word % asked.word`)
          .orderBy(sql`similarity(library_words.word, asked.word)`, 'desc')
          .limit(sql.lit(MAX_CANDIDATES))
          .as('similar'),
      (join) => join.onTrue(),
    )
    .select(['asked.word as asked', 'similar.known']),
);
