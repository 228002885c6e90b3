import { Command } from 'commander';
import { ApiTokens, NO_LIMITS, SCOPES, type Scope, type Token } from '#identity';
import { tokenStore } from '#wiring';
import { budgetArgument, findUser, integerArgument, scopesArgument } from '../arguments.ts';
import type { Session } from '../session.ts';
import { rowOf } from '../table.ts';

interface Options {
  readonly days?: number;
  readonly scopes?: readonly Scope[];
  readonly monthlyCredits?: number;
}

export function tokensCommand(session: Session): Command {
  const tokens = new Command('tokens').description('Lists, creates and revokes API tokens.');

  tokens
    .command('list')
    .description('lists the tokens of a user')
    .argument('<email>')
    .action(
      session.run(async (service, email: string) => {
        const user = await findUser(service, email);
        const { items } = await service.get(tokenStore).list(user.id, { limit: null, after: null });
        return items.map(tokenRow);
      }),
    );

  tokens
    .command('create')
    .description('creates a token and shows it once')
    .argument('<email>')
    .argument('<name>', 'name of the token')
    .option('--days <number>', 'days until it expires; default: never', integerArgument)
    .option('--scopes <list>', `any of ${SCOPES.join(', ')}, separated by commas; default: all`, scopesArgument)
    .option('--monthly-credits <number>', 'credits that it may spend in a month; default: no limit', budgetArgument)
    .action(
      session.run(async (service, email: string, name: string, options: Options) => {
        const user = await findUser(service, email);
        const { days: expiresInDays = null, scopes = null, monthlyCredits = null } = options;
        const request = { name, expiresInDays, limits: { ...NO_LIMITS, scopes, monthlyCredits } };
        const token = await service.get(ApiTokens).createAsOperator(user.id, request);
        return { ...tokenRow(token), token: token.secret };
      }),
    );

  tokens
    .command('revoke')
    .description('revokes a token')
    .argument('<email>')
    .argument('<id>', 'token id', integerArgument)
    .action(
      session.run(async (service, email: string, id: number) => {
        const user = await findUser(service, email);
        await service.get(ApiTokens).revokeAsOperator(user.id, id);
        return { id, revoked: true };
      }),
    );

  return tokens;
}

const tokenRow = (token: Token) =>
  rowOf(token, 'id', 'name', 'kind', 'createdAt', 'lastUsedAt', 'expiresAt', 'scopes', 'monthlyCredits', 'customer');
