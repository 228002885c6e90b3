import type { PreferenceStore } from '#identity';
import type { Metadata } from '#kernel';
import type { Database } from '../database.ts';
import { build, prepared } from '../prepared.ts';

export class PostgresPreferences implements PreferenceStore {
  constructor(private readonly database: Database) {}

  async read(userId: number): Promise<Metadata> {
    return (await this.database.one(select, { userId }))?.preferences ?? {};
  }

  async lock(userId: number): Promise<Metadata> {
    const row = { user_id: userId, preferences: {} };
    const { kysely } = this.database;
    await kysely
      .insertInto('user_preferences')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return (await this.database.one(lock, { userId }))!.preferences;
  }

  async save(userId: number, preferences: Metadata): Promise<void> {
    const { kysely } = this.database;
    const changed = { preferences };
    await kysely.updateTable('user_preferences').set(changed).where('user_id', '=', userId).execute();
  }
}

const select = prepared<{ userId: number }>()((param) =>
  build.selectFrom('user_preferences').select('preferences').where('user_id', '=', param('userId')),
);

const lock = prepared<{ userId: number }>()((param) =>
  build.selectFrom('user_preferences').select('preferences').where('user_id', '=', param('userId')).forNoKeyUpdate(),
);
