import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
  type CompiledQuery,
  type Expression,
  type RawBuilder,
} from 'kysely';
import pg from 'pg';
import type { PageRequest } from '#kernel';
import type { Tables } from './schema.ts';
import { corkThisTurn } from './shared-connections.ts';

/** Builds statements. Has no connection, and can't run them. */
export const build = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

/** The parameters of a prepared statement, by their names among the values of a run. */
export interface Param<In> {
  <K extends keyof In & string>(name: K): RawBuilder<In[K]>;
  /** Parameters by the columns of the same name: `{ workspace_id: param('workspaceId'), … }`. */
  columns<K extends keyof In & string>(...names: K[]): { [Name in K as SnakeCase<Name>]: RawBuilder<In[Name]> };
}

export type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : '';

export const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** A statement that is compiled once. */
export interface Prepared<In, Row> {
  readonly query: CompiledQuery<Row>;
  /** True if the statement is a read that is fast for any data. */
  readonly isBrief: boolean;
  /** The values of one run in the order of the statement's parameters. */
  bind(values: In): unknown[];
}

export type RowOf<Statement> = Statement extends Prepared<never, infer Row> ? Row : never;

class Parameter {
  constructor(readonly name: string) {}
}

const param = (name: string) => sql`${sql.val(new Parameter(name))}`;
const PARAM: unknown = Object.assign(param, {
  columns: (...names: string[]) => Object.fromEntries(names.map((name) => [snakeCase(name), param(name)])),
});

/** The names of prepared statements by text. PostgreSQL allows 63 bytes per name. */
const names = new Map<string, string>();

/**
 * Compiles a statement once, when its module is loaded; each connection prepares it once. Its text must not depend on
 * data: write `anyOf(param('ids'))`, never `in (…)`.
 */
export const prepared =
  <In>() =>
  <Row>(make: (param: Param<In>) => { compile(): CompiledQuery<Row> }): Prepared<In, Row> => {
    const query = make(PARAM as Param<In>).compile();
    if (!names.has(query.sql)) names.set(query.sql, `s${names.size}`);
    return {
      query,
      isBrief: false,
      bind: (values) =>
        query.parameters.map((each) =>
          each instanceof Parameter ? (values as Record<string, unknown>)[each.name] : each,
        ),
    };
  };

/** Marks a read as brief: outside of a transaction it runs on a shared connection. */
export function brief<In, Row>(statement: Prepared<In, Row>): Prepared<In, Row> {
  return { ...statement, isBrief: true };
}

/** The parameters of a page: ids below `before`, and one row more than the page has. */
export interface PageValues {
  readonly before: number;
  /** Null for all rows. */
  readonly limit: number | null;
}

export function pageValues({ limit, after }: PageRequest): PageValues {
  return { before: after ?? Number.MAX_SAFE_INTEGER, limit: limit === null ? null : limit + 1 };
}

/**
 * A connection that prepares the statements made by `prepared`, within transactions too. The first statement of a
 * transaction is sent together with its `begin`.
 */
export class PreparingClient extends pg.Client {
  // The overloads of the driver's method can't be told apart by type here.
  override query(...args: never[]): never {
    const [text, values, callback] = args as unknown as [unknown, unknown[], never];
    const name = typeof text === 'string' ? names.get(text) : undefined;
    if (text === 'begin') corkThisTurn(this);
    const send = super.query as (...args: unknown[]) => never;
    return name === undefined ? send.apply(this, args) : send.call(this, { name, text, values }, callback);
  }
}

/**
 * `any(…)` of an array, for `where('id', '=', anyOf(param('ids')))`. The subselect hides the length of the array from the
 * planner, which would otherwise prefer a custom plan for short arrays and plan each call again.
 */
export function anyOf<T>(values: RawBuilder<readonly T[]>, type: 'bigint' | 'text' = 'bigint'): RawBuilder<T> {
  const array = sql.raw(`${type}[]`);
  return sql<T>`any((select ${values}::${array})::${array})`;
}

/** `any(array(…))` of a select of one column, such as of rows that are locked before they are changed. */
export function anyIn<T>(rows: Expression<Record<string, T>>): RawBuilder<T> {
  return sql<T>`any(array${rows})`;
}
