import type { PausedProviders } from '#catalogue';
import type { Database } from '../database.ts';

export class PostgresPausedProviders implements PausedProviders {
  constructor(private readonly database: Database) {}

  async pause(provider: string, since: Date): Promise<boolean> {
    const paused = await this.database.kysely
      .insertInto('paused_providers')
      .values({ provider, since })
      .onConflict((conflict) => conflict.doNothing())
      .returning('provider')
      .execute();
    return paused.length > 0;
  }

  async resume(provider: string): Promise<void> {
    await this.database.kysely.deleteFrom('paused_providers').where('provider', '=', provider).execute();
  }

  /** The time since when each paused provider is paused, by its id. */
  async list(): Promise<ReadonlyMap<string, Date>> {
    const rows = await this.database.kysely.selectFrom('paused_providers').select(['provider', 'since']).execute();
    return new Map(rows.map(({ provider, since }) => [provider, since]));
  }
}
