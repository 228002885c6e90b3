import { sql, type ExpressionBuilder, type Expression, type SqlBool, type RawBuilder } from 'kysely';
import { ITEM_KINDS, kindOfFile, searchDocument, vocabularyOf, type ItemKind, type SearchedFacts } from '#library';
import type { Database } from '../database.ts';
import { isOutput, NAME } from '../files/file-rows.ts';
import { anyOf, build, prepared, type RowOf } from '../prepared.ts';
import type { Tables } from '../schema.ts';

/**
 * Adds files to the library, in the transaction that adds or refers to them. Leaves out what people did not make, such as
 * thumbnails; temporary and private files; and items that are there.
 *
 * @returns the files that were added
 */
export async function addToLibrary(
  database: Database,
  fileIds: readonly (number | null)[],
): Promise<readonly number[]> {
  const ids = fileIds.filter((id) => id !== null);
  if (ids.length === 0) return [];
  const files = await database.run(selectFacts, { ids });
  if (files.length === 0) return [];
  const facts = files.map(factsOf);
  await learnWords(database, facts);
  const rows = files.map((file, index) => rowOf(file, facts[index]!));
  const insert = database.kysely.insertInto('library_items').values(rows);
  await insert.onConflict((conflict) => conflict.doNothing()).execute();
  return files.map(({ id }) => id);
}

/**
 * Adds the words of items to those that typing errors are compared with. Apart from the transaction: otherwise two
 * transactions that add the same words would wait for each other.
 */
export async function learnWords(database: Database, items: readonly SearchedFacts[]): Promise<void> {
  const words = items.flatMap((item) => vocabularyOf(item).map((word) => ({ workspaceId: item.workspaceId, word })));
  await database.runApart(insertWords, {
    workspaceIds: words.map(({ workspaceId }) => workspaceId),
    words: words.map(({ word }) => word),
  });
}

/** In one order, so that two of these statements can't wait for each other. */
const insertWords = prepared<{ workspaceIds: readonly number[]; words: readonly string[] }>()((param) =>
  build
    .insertInto('library_words')
    .columns(['workspace_id', 'word'])
    .expression(
      () => sql`
        select distinct added.workspace_id, added.word
        from unnest(${param('workspaceIds')}::bigint[], ${param('words')}::text[]) added (workspace_id, word)
        where not exists (
          select from library_words known
          where known.workspace_id = added.workspace_id and known.word = added.word collate "C")
        order by 1, 2`,
    )
    .onConflict((conflict) => conflict.doNothing()),
);

/**
 * People made, uploaded or imported the file: it is an upload, an output, the picture of a training, or a source of a media
 * item. It is not temporary, not private, and not deleted from the library.
 */
export function isListed(eb: ExpressionBuilder<Tables, 'files'>): Expression<SqlBool> {
  const imported = eb.or([
    eb.exists(eb.selectFrom('trainings').whereRef('trainings.file_id', '=', 'files.id')),
    eb.exists(
      eb
        .selectFrom('media_files')
        .innerJoin('media', 'media.id', 'media_files.media_id')
        .whereRef('media_files.file_id', '=', 'files.id')
        .where((media) =>
          media.or([
            media('media.file_key', '=', media.ref('files.key')),
            media('media.control_image_key', '=', media.ref('files.key')),
          ]),
        ),
    ),
  ]);
  return eb.and([
    eb('files.expires_at', 'is', null),
    eb('files.removed_at', 'is', null),
    eb('files.key', 'like', 'files/%'),
    eb.or([
      eb('files.origin', '=', 'upload'),
      eb.and([eb('files.origin', '=', 'output'), isOutput(eb)]),
      eb.and([eb('files.origin', '=', 'import'), imported]),
    ]),
  ]);
}

/** A look that is saved meanwhile waits: the trigger on files then finds the item. In one order, as all that lock files. */
const selectFacts = prepared<{ ids: readonly number[] }>()((param) =>
  build
    .selectFrom('files')
    .leftJoin('generation_outputs as output', 'output.file_id', 'files.id')
    .leftJoin('generations', 'generations.id', 'output.generation_id')
    .leftJoinLateral(
      (eb) =>
        eb.selectFrom('uploads').select('user_id').whereRef('uploads.file_id', '=', 'files.id').limit(1).as('upload'),
      (join) => join.onTrue(),
    )
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('media_files')
          .innerJoin('media as source', 'source.id', 'media_files.media_id')
          .select('source.created_by')
          .whereRef('media_files.file_id', '=', 'files.id')
          .whereRef('source.file_key', '=', 'files.key')
          .orderBy('source.id')
          .limit(1)
          .as('item'),
      (join) => join.onTrue(),
    )
    .where('files.id', '=', anyOf(param('ids')))
    .where(isListed)
    .where((eb) => eb.not(eb.exists(eb.selectFrom('library_items').whereRef('library_items.file_id', '=', 'files.id'))))
    .select(['files.id', 'files.workspace_id as workspaceId', 'files.persona_id as personaId', 'files.origin'])
    .select(['files.filename', NAME, 'files.content_type as contentType', 'files.created_at as createdAt'])
    .select(['files.deletion_id as deletionId', 'output.generation_id as generationId'])
    .select(['generations.model', 'generations.prompt', 'generations.kind as modelKind'])
    .select(['files.colors', 'files.shape'])
    .select((eb) => eb.fn.coalesce('files.customer', 'generations.customer').as('customer'))
    .select((eb) => eb.fn.coalesce('generations.user_id', 'upload.user_id', 'item.created_by').as('userId'))
    .orderBy('files.id')
    .forShare('files'),
);

type FileFacts = RowOf<typeof selectFacts>;

function kindOf({ modelKind, contentType }: FileFacts): ItemKind {
  return ITEM_KINDS.find((kind) => kind === modelKind) ?? kindOfFile(contentType);
}

function factsOf(file: FileFacts): SearchedFacts {
  const { workspaceId, origin, model, personaId, userId, prompt, name, filename } = file;
  return { workspaceId, kind: kindOf(file), origin, model, personaId, userId, prompt, name, filename, tags: [] };
}

function rowOf(file: FileFacts, facts: SearchedFacts) {
  return {
    file_id: file.id,
    workspace_id: file.workspaceId,
    kind: facts.kind,
    origin: file.origin,
    persona_id: file.personaId,
    user_id: file.userId,
    generation_id: file.generationId,
    model: file.model,
    colors: file.colors,
    shape: file.shape,
    words: sql<string>`${searchDocument(facts)}::tsvector`,
    // As precise as the times of cursors.
    created_at: sql<Date>`date_trunc('milliseconds', ${file.createdAt}::timestamptz)`,
    deletion_id: file.deletionId,
    customer: file.customer,
  };
}

/**
 * Callers see the item: neither its file nor its persona is deleted. While a persona is in the trash, its items are hidden, also
 * those that something else refers to. The deleted personas are read once a statement, so that the rule costs nothing where
 * many items are compared.
 *
 * @param workspaceId whose items these are
 */
export function isVisible(
  eb: ExpressionBuilder<Tables, 'library_items'>,
  workspaceId: Expression<number>,
): RawBuilder<boolean> {
  const deletedPersonas = eb
    .selectFrom('personas as gone')
    .select('gone.id')
    .where('gone.workspace_id', '=', workspaceId)
    .where('gone.deletion_id', 'is not', null);
  return sql`(library_items.deletion_id is null
    and (library_items.persona_id is null or library_items.persona_id <> all(array${deletedPersonas})))`;
}
