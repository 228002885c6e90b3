import { Command } from 'commander';
import { Tokens, type Token } from '#identity';
import { tokenStore } from '#wiring';
import { findUser } from '../find-user.ts';
import { integerArgument } from '../integer-argument.ts';
import type { Session } from '../session.ts';
import type { Row } from '../table.ts';

export function tokensCommand(session: Session): Command {
  const tokens = new Command('tokens').description('What programs call the API with.');

  session.action(
    tokens.command('list').description("lists a user's tokens").argument('<email>'),
    async (service, email: string) => {
      const user = await findUser(service, email);
      const { items } = await service.get(tokenStore).list(user.id, { limit: null, after: null });
      return items.map(tokenRow);
    },
  );

  session.action(
    tokens
      .command('create')
      .description('makes a token and shows it, this once')
      .argument('<email>')
      .argument('<name>', 'what to call the token')
      .option('--days <number>', 'days that it works; without, for good', integerArgument),
    async (service, email: string, name: string, options: { days?: number }) => {
      const user = await findUser(service, email);
      const token = await service
        .get(Tokens)
        .create({ userId: user.id, name, expiresInDays: options.days ?? null });
      return { ...tokenRow(token), token: token.secret };
    },
  );

  session.action(
    tokens
      .command('revoke')
      .description('ends a token at once')
      .argument('<email>')
      .argument('<id>', 'the id of the token', integerArgument),
    async (service, email: string, id: number) => {
      const user = await findUser(service, email);
      await service.get(Tokens).revoke(user.id, id);
      return { id, revoked: true };
    },
  );

  return tokens;
}

function tokenRow(token: Token): Row {
  return {
    id: token.id,
    name: token.name,
    created_at: token.createdAt,
    last_used_at: token.lastUsedAt,
    expires_at: token.expiresAt,
  };
}
