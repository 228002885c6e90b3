import { sql } from 'kysely';
import type { ModelNews } from '#catalogue';
import type { EventFacts } from '#events';
import type { Database } from '../database.ts';
import { insertFrom } from '../shapes.ts';

const CALLER_DAYS = 30;

export class PostgresModelNews implements ModelNews {
  constructor(private readonly database: Database) {}

  async tell(
    names: readonly string[],
    { type, model, facts, key }: Parameters<ModelNews['tell']>[1],
    at: Date,
  ): Promise<number> {
    const { kysely } = this.database;
    const since = new Date(at.getTime() - CALLER_DAYS * 86_400_000);
    const calls = kysely.selectFrom('generations').select('workspace_id').where('created_at', '>=', since);
    const users = kysely
      .selectFrom('presets')
      .select('workspace_id')
      .where('model', 'in', names)
      .union(calls.where('requested_model', 'in', names))
      .union(calls.where('model', 'in', names).where('requested_model', 'is', null));
    const insert = insertFrom(
      kysely.insertInto('events'),
      (eb) => eb.selectFrom(users.as('user')).orderBy('user.workspace_id') as never,
      (() => ({
        workspace_id: sql.ref('user.workspace_id'),
        type: sql.val(type),
        subject_id: sql.val(model),
        facts: sql<EventFacts>`${JSON.stringify(facts)}::jsonb`,
        key: sql.val(key),
        created_at: sql<Date>`${at}::timestamptz`,
      })) as never,
    );
    const told = await insert
      .onConflict((conflict) => conflict.columns(['workspace_id', 'key']).where('key', 'is not', null).doNothing())
      .returning('seq')
      .execute();
    return told.length;
  }
}
