import { Command } from 'commander';
import { Accounts, chosenPassword, type DirectoryUser } from '#identity';
import { directory, passwords } from '#wiring';
import { findUser } from '../find-user.ts';
import { integerArgument } from '../integer-argument.ts';
import type { Session } from '../session.ts';
import type { Row } from '../table.ts';

const LIMIT = 50;

export function usersCommand(session: Session): Command {
  const users = new Command('users').description('The people who use the service.');

  session.action(
    users
      .command('list')
      .description('lists users, newest first')
      .option('--search <text>', 'only those whose e-mail contains this')
      .option('--limit <number>', 'how many', integerArgument, LIMIT)
      .option('--before <id>', 'only those before this id', integerArgument),
    async (service, options: { search?: string; limit: number; before?: number }) => {
      const page = { limit: options.limit, after: options.before ?? null };
      const { items } = await service.get(directory).users(page, options.search ?? null);
      return items.map(userRow);
    },
  );

  session.action(
    users.command('show').description('shows one user').argument('<email>'),
    async (service, email: string) => userRow(await findUser(service, email)),
  );

  session.action(
    users
      .command('create')
      .description('opens an account, with a workspace of its own on the free plan')
      .argument('<email>')
      .option('--name <name>', 'how they are called')
      .option('--password <password>', 'without one, they can not log in'),
    async (service, email: string, options: { name?: string; password?: string }) => {
      const { password, name = null } = options;
      const passwordHash =
        password === undefined ? null : await service.get(passwords).hash(chosenPassword(password));
      await service.get(Accounts).open({ email, name, passwordHash });
      return userRow(await findUser(service, email));
    },
  );

  session.action(
    users
      .command('set-password')
      .description('gives a user another password')
      .argument('<email>')
      .argument('<password>'),
    async (service, email: string, password: string) => {
      await service.get(Accounts).changePassword({ email, password });
      return userRow(await findUser(service, email));
    },
  );

  return users;
}

function userRow(user: DirectoryUser): Row {
  return {
    id: user.id,
    email: user.email,
    name: user.name,
    workspace_id: user.workspaceId,
    is_team: user.isTeam,
    role: user.role,
    plan: user.plan,
    created_at: user.createdAt,
  };
}
