import type { MachineToken, MachineTokenStore, TokenHash } from '#identity';
import { pageOf, type Page, type PageRequest } from '#kernel';
import type { Database } from '../database.ts';
import { pageValues } from '../prepared.ts';
import { MachineTokenRow } from '../schema.ts';
import { fieldsOf } from '../shapes.ts';
import { bytesOf } from './token-hash.ts';

const TOKEN = fieldsOf('machine_tokens', ['id', 'name', 'scopes', 'createdAt', 'lastUsedAt', 'expiresAt']);

export class PostgresMachineTokens implements MachineTokenStore {
  constructor(private readonly database: Database) {}

  add({ hash, ...token }: Parameters<MachineTokenStore['add']>[0]): Promise<number> {
    return this.database.em.insert(MachineTokenRow, { ...token, hash: bytesOf(hash) });
  }

  async find(hash: TokenHash, now: Date): Promise<MachineToken | null> {
    const token = this.#select()
      .where('hash', '=', bytesOf(hash))
      .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]));
    return (await token.executeTakeFirst()) ?? null;
  }

  async recordUse(id: number, at: Date): Promise<void> {
    await this.database.em.nativeUpdate(MachineTokenRow, { id }, { lastUsedAt: at });
  }

  async list(page: PageRequest): Promise<Page<MachineToken>> {
    const { before, limit } = pageValues(page);
    const rows = await this.#select().where('id', '<', before).orderBy('id', 'desc').limit(limit!).execute();
    return pageOf(rows, page.limit, ({ id }) => id);
  }

  async delete(id: number): Promise<boolean> {
    return (await this.database.em.nativeDelete(MachineTokenRow, { id })) === 1;
  }

  #select() {
    return this.database.kysely.selectFrom('machine_tokens').select(TOKEN);
  }
}
