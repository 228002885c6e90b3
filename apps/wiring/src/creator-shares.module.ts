import { PostgresShares } from '#adapters/postgres';
import type { TakeOverHook } from '#identity';
import { CreatorShares } from '#sharing';
import { auditLog } from './platform.ts';
import { provide, provideMade, provideStores, SharedModule, token } from './provide.ts';

/** Ends the links of a user whose account is taken over. */
export const endShares = token<TakeOverHook>('EndShares');

/** Links by who made them, without what `SharingModule` needs of accounts. */
@SharedModule(
  [],
  ...provideStores(PostgresShares),
  provide(CreatorShares, PostgresShares, auditLog),
  provideMade(endShares, [CreatorShares], (shares): TakeOverHook => {
    return (userId) => shares.end(userId);
  }),
)
export class CreatorSharesModule {}
