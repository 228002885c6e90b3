import { sql, type RawBuilder, type SelectQueryBuilder } from 'kysely';
import { originOf } from '#files';
import { invalidField, notFound } from '#kernel';
import {
  cellOfHex,
  colorDistances,
  COMPARED_ITEMS,
  facetQuery,
  NEAR_COLOR,
  NEAR_LOOK,
  relevanceOf,
  SHAPE_STEP,
  sortOf,
  wordQuery,
  type Facet,
  type LibraryCursor,
  type LibraryFilter,
  type LibrarySort,
} from '#library';
import type { Database } from '../database.ts';
import { build, prepared } from '../prepared.ts';
import type { Tables } from '../schema.ts';
import { isVisible } from './library-rows.ts';
import { understand } from './query-words.ts';

/** Items that the relevance of words is compared among. */
const RANKED_ITEMS = 500;
/** Items that are read in their order before the index of words is asked. */
const WALKED_ITEMS = 20_000;
/** The nearest items in colour or look, to which the other filters are applied. */
const NEAREST_ITEMS = 5_000;

/** The ids of a page of a search. */
export interface FoundItems {
  readonly ids: readonly number[];
  readonly next: LibraryCursor | null;
}

const NOTHING: FoundItems = { ids: [], next: null };

interface Search {
  readonly workspaceId: number;
  readonly filter: LibraryFilter;
  readonly sort: LibrarySort;
  readonly limit: number;
  readonly position: readonly number[] | null;
}

type Items = SelectQueryBuilder<Tables, 'library_items', object>;

/**
 * Searches the library. Statements are built for each search and planned with its values: which index is the fastest depends
 * on how frequent the words are.
 */
export class LibrarySearch {
  constructor(private readonly database: Database) {}

  async find(
    workspaceId: number,
    filter: LibraryFilter,
    { limit, after }: { readonly limit: number; readonly after: LibraryCursor | null },
  ): Promise<FoundItems> {
    const sort = sortOf(filter);
    const relevance = relevanceOf(filter);
    const length = LENGTHS[sort === 'relevance' && relevance !== 'words' ? 'near' : sort];
    if (after && (after.sort !== sort || !length.includes(after.position.length))) {
      throw invalidField('cursor', 'must be the next_cursor of an earlier response to this search');
    }
    const search = { workspaceId, filter, sort, limit, position: after?.position ?? null };
    const words = filter.text === undefined ? null : await this.#queryOf(workspaceId, filter.text);
    if (words === '') return NOTHING;
    const near = await this.#nearItems(search);
    if (sort !== 'relevance') return this.#inOrder(search, words, near);
    return near ? this.#byDistance(search, words, near) : this.#byRank(search, words!);
  }

  /** @returns an empty text where nothing can match */
  async #queryOf(workspaceId: number, text: string): Promise<string> {
    return wordQuery(await understand(this.database, workspaceId, text)) ?? '';
  }

  /** The newest items that are near in colour, or in colour and shape, with their distances; `null` where that is not asked. */
  async #nearItems({ workspaceId, filter }: Search): Promise<Near | null> {
    const { like, color } = filter;
    if (like === undefined && color === undefined) return null;
    const [byColor, byLook] = [
      color === undefined ? sql`0` : nearestColor(colorDistances([cellOfHex(color)])),
      like === undefined ? sql`0` : await this.#distanceOf(workspaceId, like),
    ];
    // All that is read of the newest items stands in their index. `offset 0`: distances are computed once.
    return sql`(
      select file_id, ${sql.ref(like === undefined ? 'by_color' : 'by_look')} as distance from (
        select file_id, ${byColor} as by_color, ${byLook} as by_look from (
          select file_id, colors, shape, deletion_id from library_items
          where workspace_id = ${workspaceId} order by created_at desc, file_id desc limit ${sql.lit(COMPARED_ITEMS)}
        ) newest
        where colors is not null and deletion_id is null and file_id is distinct from ${like ?? null}::bigint offset 0
      ) compared
      where by_color <= ${sql.lit(NEAR_COLOR)} and by_look <= ${sql.lit(NEAR_LOOK)}
      order by distance, file_id desc limit ${sql.lit(NEAREST_ITEMS)})`;
  }

  async #distanceOf(workspaceId: number, fileId: number): Promise<RawBuilder<number>> {
    const model = await this.database.one(selectModel, { workspaceId, fileId });
    if (!model) throw notFound('item');
    return distanceOfLooks(colorDistances(model.colors ?? []), model.shape);
  }

  async #inOrder({ filter, ...search }: Search, words: string | null, near: Near | null): Promise<FoundItems> {
    const { sort, limit, position } = search;
    const [columns] = ORDERS[sort as OrderName];
    const rows = await this.#first({ ...search, filter }, words, near, {
      order: sort as OrderName,
      position,
      limit: limit + 1,
    });
    return pageOf(rows, limit, sort, (row) => columns.map((column) => Number(row[column])));
  }

  /**
   * The first matches in an order. Frequent ones are found among the first items, which are read in that order; otherwise
   * the index of words finds all matches, which are few then. The planner can't know which of several words and tags go
   * together, and would sometimes read the whole table.
   */
  async #first(
    search: Search,
    words: string | null,
    near: Near | null,
    page: FirstItems,
  ): Promise<readonly FoundRow[]> {
    const { limit } = page;
    const query = queryOf(search, words);
    const select = (items: Items) =>
      matching(items, search, query, near)
        .select(['library_items.file_id', 'library_items.created_at', 'library_items.rating'])
        .select(
          sql<number>`${words === null ? sql`0` : sql`ts_rank(library_items.words, ${words}::tsquery)`}`.as('rank'),
        )
        .limit(limit);
    const all = () => within(this.database.kysely.selectFrom('library_items'), search, page);
    if (query === null || near) return inIndexOrder(select(all()), page.order).execute();
    const walked = inIndexOrder(all().selectAll().limit(WALKED_ITEMS), page.order).as('library_items');
    const found = await inIndexOrder(select(this.database.kysely.selectFrom(walked) as never), page.order).execute();
    if (found.length === limit) return found;
    return inOtherOrder(select(all()), page.order).execute();
  }

  async #byDistance(search: Search, words: string | null, near: Near): Promise<FoundItems> {
    const { sort, limit, position } = search;
    const items = matching(this.database.kysely.selectFrom('library_items'), search, queryOf(search, words), near);
    const distance = sql<number>`near.distance`;
    const rows = await items
      .select('library_items.file_id')
      .select(distance.as('distance'))
      .$if(position !== null, (query) =>
        query.where(sql<boolean>`(${distance}, -near.file_id) > (${position![0]}, ${-position![1]!}::bigint)`),
      )
      .orderBy(distance)
      .orderBy(sql`near.file_id`, 'desc')
      .limit(limit + 1)
      .execute();
    return pageOf(rows, limit, sort, (row) => [row.distance, row.file_id]);
  }

  /**
   * Ranks the newest 500 matches, then the next 500, and so on: ranking all matches of a frequent word would read
   * most of the table.
   */
  async #byRank(search: Search, words: string): Promise<FoundItems> {
    const { sort, limit, position } = search;
    const [from = 0, fromId = 0, rank = null, rankId = null] = position ?? [];
    const page = { order: 'newest', position: fromId > 0 ? [from, fromId] : null, limit: RANKED_ITEMS } as const;
    const found = await this.#first(search, words, null, page);
    const left = found
      .filter((row) => rank === null || row.rank < rank || (row.rank === rank && row.file_id < rankId!))
      .sort((a, b) => b.rank - a.rank || b.file_id - a.file_id);
    const ranked = pageOf(left, limit, sort, (row) => [from, fromId, row.rank, row.file_id]);
    if (ranked.next || found.length < RANKED_ITEMS) return ranked;
    const last = found.at(-1)!;
    return { ...ranked, next: { sort, position: [last.created_at.getTime(), last.file_id] } };
  }
}

type Near = RawBuilder<{ readonly file_id: number; readonly distance: number }>;

interface FoundRow {
  readonly file_id: number;
  readonly created_at: Date;
  readonly rating: number;
  readonly rank: number;
}

/** The first `limit` items of an order after a position. */
interface FirstItems {
  readonly order: OrderName;
  readonly position: readonly number[] | null;
  readonly limit: number;
}

/** The columns of each order, and its direction. */
const ORDERS = {
  newest: [['created_at', 'file_id'], 'desc'],
  oldest: [['created_at', 'file_id'], 'asc'],
  rating: [['rating', 'created_at', 'file_id'], 'desc'],
} as const;

type OrderName = keyof typeof ORDERS;

/** How many numbers the position of each order may have. */
const LENGTHS = { newest: [2], oldest: [2], rating: [3], near: [2], relevance: [2, 4] };

/** The model that items are compared with. */
const selectModel = prepared<{ workspaceId: number; fileId: number }>()((param) =>
  build
    .selectFrom('library_items')
    .select(['colors', 'shape'])
    .where((eb) => eb.and({ workspace_id: param('workspaceId'), file_id: param('fileId') }))
    .where((eb) => isVisible(eb, param('workspaceId'))),
);

/** Items of the workspace and of the time, after a position. */
function within(items: Items, { workspaceId, filter }: Search, { order, position }: Omit<FirstItems, 'limit'>): Items {
  const { customer, after, before } = filter;
  const [columns, direction] = ORDERS[order];
  const key = sql.join(columns.map((column) => sql.ref(`library_items.${column}`)));
  const values = (position ?? []).map((value, index) => (columns[index] === 'created_at' ? new Date(value) : value));
  return items
    .where('library_items.workspace_id', '=', workspaceId)
    .$if(customer !== undefined, (each) => each.where('library_items.customer', '=', customer!))
    .$if(after !== undefined, (each) => each.where('library_items.created_at', '>=', after!))
    .$if(before !== undefined, (each) => each.where('library_items.created_at', '<', before!))
    .$if(position !== null, (each) =>
      each.where(sql<boolean>`(${key}) ${sql.raw(direction === 'desc' ? '<' : '>')} (${sql.join(values)})`),
    );
}

/** As an index has it. */
function inIndexOrder<Output>(items: SelectQueryBuilder<Tables, 'library_items', Output>, order: OrderName) {
  const [columns, direction] = ORDERS[order];
  return columns.reduce((query, column) => query.orderBy(`library_items.${column}`, direction), items);
}

/** The same order, which the planner takes for one that no index has. */
function inOtherOrder<Output>(items: SelectQueryBuilder<Tables, 'library_items', Output>, order: OrderName) {
  const [[first], direction] = ORDERS[order];
  const zero = first === 'rating' ? sql`0` : sql`interval '0 seconds'`;
  return inIndexOrder(items.orderBy(sql`${sql.ref(`library_items.${first}`)} + ${zero}`, direction), order);
}

/** The words and facets of a search, as one `tsquery`; null for none. */
function queryOf({ workspaceId, filter }: Search, words: string | null): string | null {
  const { kinds, origin, source, model, tags = [], personaId, userId } = filter;
  const facets: Facet[][] = [
    ...(kinds ? [kinds.map((kind) => ({ kind }))] : []),
    ...(origin ? [[{ origin }]] : []),
    // No item has the word of a source without an origin.
    ...(source ? [[{ origin: originOf(source) ?? source }]] : []),
    ...(model === undefined ? [] : [[{ model }]]),
    ...(personaId === undefined ? [] : [[{ persona: personaId }]]),
    ...(userId === undefined ? [] : [[{ user: userId }]]),
    ...tags.map((tag) => [{ tag }]),
  ];
  // Without words and facets the workspace is found by the index of the order.
  const parts = [...(words === null ? [] : [words]), ...(facets.length > 0 ? [facetQuery(facets)] : [])];
  return parts.length > 0 ? [...parts, facetQuery([[{ workspace: workspaceId }]])].join(' & ') : null;
}

function matching(items: Items, { workspaceId, filter }: Search, query: string | null, near: Near | null): Items {
  const { personaId, generationId, customer, rating, after, before } = filter;
  const found = items
    .where('library_items.workspace_id', '=', workspaceId)
    .where((eb) => isVisible(eb, sql.val(workspaceId)))
    .$if(query !== null, (each) => each.where(sql<boolean>`library_items.words @@ ${query}::tsquery`))
    // The facet of a persona stays when it is deleted for good.
    .$if(personaId !== undefined, (each) => each.where('library_items.persona_id', 'is not', null))
    .$if(generationId !== undefined, (each) =>
      each.where('library_items.file_id', 'in', (eb) =>
        eb.selectFrom('generation_outputs').select('file_id').where('generation_id', '=', generationId!),
      ),
    )
    .$if(customer !== undefined, (each) => each.where('library_items.customer', '=', customer!))
    // Beside the index of words, that of ratings would only be read in addition.
    .$if(rating !== undefined, (each) =>
      each.where(
        query === null ? sql<number>`library_items.rating` : sql<number>`library_items.rating + 0`,
        '>=',
        rating!,
      ),
    )
    .$if(after !== undefined, (each) => each.where('library_items.created_at', '>=', after!))
    .$if(before !== undefined, (each) => each.where('library_items.created_at', '<', before!));
  if (!near) return found;
  return found.innerJoin(near.as<'near'>(sql`near`), 'near.file_id', 'library_items.file_id') as unknown as Items;
}

/** The distances by cell: one byte each, so that a distance is looked up instead of computed. */
function byteOf(distances: Uint8Array, position: number): RawBuilder<number> {
  return sql`get_byte(${Buffer.from(distances)}::bytea, colors[${sql.lit(position)}])`;
}

const POSITIONS = [1, 2, 3, 4, 5];

function nearestColor(distances: Uint8Array): RawBuilder<number> {
  return sql`least(${sql.join(POSITIONS.map((position) => byteOf(distances, position)))})`;
}

/** The more frequent a colour is, the more it counts. */
function distanceOfLooks(distances: Uint8Array, shape: string | null): RawBuilder<number> {
  const weighted = POSITIONS.map((position) => {
    const weight = POSITIONS.length + 1 - position;
    return sql`coalesce(${byteOf(distances, position)}, 0) * ${sql.lit(weight)}`;
  });
  const count = sql`cardinality(colors)`;
  // The weights of one to five colours are 5, 9, 12, 14 and 15.
  const colors = sql`coalesce((${sql.join(weighted, sql` + `)}) / nullif(${count} * (11 - ${count}) / 2, 0), 255)`;
  return sql`(bit_count(shape # ${shape}::bit(64))::integer * ${sql.lit(SHAPE_STEP)} + ${colors})`;
}

function pageOf<Row extends { readonly file_id: number }>(
  rows: readonly Row[],
  limit: number,
  sort: LibrarySort,
  positionOf: (row: Row) => readonly number[],
): FoundItems {
  const ids = rows.slice(0, limit).map(({ file_id: id }) => id);
  return { ids, next: rows.length > limit ? { sort, position: positionOf(rows[limit - 1]!) } : null };
}
