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
  type SelectType,
} from 'kysely';
import { snakeCase, type SnakeCase } from './prepared.ts';
import type { Tables } from './schema.ts';

type CamelCase<Column extends string> = Column extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Column;

/** The names of a table's columns in the domain. */
type NameIn<Table extends keyof Tables> = CamelCase<keyof Tables[Table] & string>;

/**
 * Columns to select by their names in the domain, so that rows need no mapping: `boards.created_at as createdAt`.
 *
 * @param from the table's alias in the statement
 */
export function fieldsOf<Table extends keyof Tables, const Name extends NameIn<Table>, From extends string = Table>(
  table: Table,
  names: readonly Name[],
  from?: From,
): readonly { [Each in Name]: `${From}.${SnakeCase<Each>} as ${Each}` }[Name][] {
  return names.map((name) => `${from ?? table}.${snakeCase(name)} as ${name}` as never);
}

/**
 * `insert into … select`: one row for each row of `source`. Parameters need no casts: PostgreSQL takes the types of the
 * columns.
 */
export function insertFrom<
  DB,
  Table extends keyof DB,
  Known,
  From extends keyof Known,
  const Row extends InsertObject<DB, Table>,
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

/** Columns of a table in the statement, by their names, as values of the row that is inserted. */
export function refs<DB, From extends keyof DB, Table extends From & string, Name extends keyof DB[Table] & string>(
  _: ExpressionBuilder<DB, From>,
  table: Table,
  ...names: readonly Name[]
): { [Each in Name]: RawBuilder<SelectType<DB[Table][Each]>> } {
  return Object.fromEntries(names.map((name) => [name, sql.ref(`${table}.${name}`)])) as never;
}

/** Values of an upsert: those that were to be inserted. */
export function excluded<Table extends keyof Tables, Name extends keyof Tables[Table] & string>(
  _: Table,
  ...names: readonly Name[]
): { [Each in Name]: RawBuilder<SelectType<Tables[Table][Each]>> } {
  return Object.fromEntries(names.map((name) => [name, sql.ref(`excluded.${name}`)])) as never;
}

/** Values of an upsert: the sums of those that are there and those that were to be inserted. */
export function added<Table extends keyof Tables, Name extends keyof Tables[Table] & string>(
  table: Table,
  ...names: readonly Name[]
): { [Each in Name]: RawBuilder<number> } {
  const sumOf = (name: Name) => sql<number>`${sql.ref(`${table}.${name}`)} + ${sql.ref(`excluded.${name}`)}`;
  return Object.fromEntries(names.map((name) => [name, sumOf(name)])) as never;
}

/** True if a text contains `search`, ignoring case; and for null. */
export function containsText(text: Expression<string>, search: Expression<string | null>): RawBuilder<boolean> {
  return sql`(${search}::text is null or strpos(lower(${text}), lower(${search})) > 0)`;
}

/** Some properties of an object. */
export function pick<T, Name extends keyof T>(from: T, names: readonly Name[]): Pick<T, Name> {
  return Object.fromEntries(names.map((name) => [name, from[name]])) as Pick<T, Name>;
}

/** The number of rows. */
export function countOf(rows: SelectQueryBuilder<never, never, object>): RawBuilder<number> {
  return sql`${rows.select(sql`count(*)`.as('count'))}`;
}

/** The values of a select of one column; empty for no rows. */
export function arrayOf<T>(rows: Expression<Record<string, T>>): RawBuilder<T[]> {
  return sql`array${rows}`;
}
