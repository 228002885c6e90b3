import {
  expressionBuilder,
  sql,
  type Expression,
  type ExpressionBuilder,
  type InsertObject,
  type InsertQueryBuilder,
  type InsertResult,
  type RawBuilder,
  type SelectQueryBuilder,
} from 'kysely';
import type { Param } from './prepared.ts';
import type { Tables } from './schema.ts';

type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;
type SnakeCase<Name extends string> = Name extends `${infer Head}${infer Tail}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${SnakeCase<Tail>}`
  : Name;

/** A row by the names that its columns have in the domain: `workspace_id` as `workspaceId`. */
export type CamelCased<Row> = { -readonly [Column in keyof Row & string as CamelCase<Column>]: Row[Column] };

const camelNames = new Map<string, string>();

function camelCase(column: string): string {
  let name = camelNames.get(column);
  if (name === undefined) {
    name = column.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
    camelNames.set(column, name);
  }
  return name;
}

export function camelCased<Row extends object>(row: Row): CamelCased<Row> {
  const values: Record<string, unknown> = {};
  for (const [column, value] of Object.entries(row)) values[camelCase(column)] = value;
  return values as CamelCased<Row>;
}

/** Parameters for columns of a table, named as the columns are in the domain: `{ board_id: param('boardId'), … }`. */
export function columnsOf<
  Table extends keyof Tables,
  In,
  Name extends keyof In & CamelCase<keyof Tables[Table] & string>,
>(
  _table: Table,
  param: Param<In>,
  names: readonly Name[],
): { [Each in Name as SnakeCase<Each>]: RawBuilder<In[Each]> } {
  const columns = names.map((name) => [name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), param(name)]);
  return Object.fromEntries(columns) as never;
}

/**
 * `insert into … select`: one row for each of `source`. PostgreSQL gives parameters the types of their columns, so that
 * they need no casts.
 */
export function insertFrom<
  DB,
  Table extends keyof DB,
  Known,
  From extends keyof Known,
  Row extends InsertObject<DB, Table>,
>(
  into: InsertQueryBuilder<DB, Table, InsertResult>,
  source: (eb: ExpressionBuilder<DB, Table>) => SelectQueryBuilder<Known, From, object>,
  row: (eb: ExpressionBuilder<Known, From>) => Row & Record<Exclude<keyof Row, keyof DB[Table]>, never>,
): InsertQueryBuilder<DB, Table, InsertResult> {
  const values = Object.entries<unknown>(row(expressionBuilder<Known, From>()));
  return into
    .columns(values.map(([column]) => column as never))
    .expression((eb) => source(eb).select(values.map(([column, value]) => sql`${value}`.as(column))));
}

/** The number of rows. */
export function countOf(rows: SelectQueryBuilder<never, never, object>): RawBuilder<number> {
  return sql`${rows.select(sql`count(*)`.as('count'))}`;
}

/** The values of a select of one column; empty for no rows. */
export function arrayOf<T>(rows: Expression<Record<string, T>>): RawBuilder<T[]> {
  return sql`array${rows}`;
}
