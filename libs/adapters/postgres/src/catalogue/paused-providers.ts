import type { Database } from '../database.ts';

/** The providers that a worker does not call for now, as their calls have failed. */
export class PostgresPausedProviders {
  constructor(private readonly database: Database) {}

  /** Without effect while the provider is paused. */
  async pause(provider: string, since: Date): Promise<void> {
    await this.database.kysely
      .insertInto('paused_providers')
      .values({ provider, since })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
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
