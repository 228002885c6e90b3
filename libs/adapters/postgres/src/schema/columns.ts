import { defineEntity, p } from '@mikro-orm/postgresql';
import type { Metadata } from '#kernel';

export const id = () => p.bigint('number').primary().autoincrement().generated('identity');
/** The id of a row of another table. */
export const ref = () => p.bigint('number');
export const time = () => p.datetime();
/** The entry of the trash that the row was deleted with; null for a row that is not deleted. */
export const deletion = () => ref().nullable();
/** The data that callers attach to an object. */
export const customData = () => ({ customer: p.text().nullable(), metadata: p.json<Metadata>().nullable() });

export const table = <
  const Name extends string,
  const Table extends string,
  const Properties extends Record<string, object>,
>(
  name: Name,
  tableName: Table,
  properties: Properties,
) => defineEntity({ name, tableName, properties });
