import { Command } from 'commander';
import { Accounts, chosenPassword, type DirectoryUser } from '#identity';
import { directory, passwords } from '#wiring';
import { findUser, integerArgument } from '../arguments.ts';
import type { Session } from '../session.ts';
import { rowOf } from '../table.ts';

const LIMIT = 50;

export function usersCommand(session: Session): Command {
  const users = new Command('users').description('Lists, shows and creates users.');

  users
    .command('list')
    .description('lists users, newest first')
    .option('--search <text>', 'only users whose e-mail contains this text')
    .option('--limit <number>', 'maximum number of users', integerArgument, LIMIT)
    .option('--before <id>', 'only those before this id', integerArgument)
    .action(
      session.run(async (service, options: { search?: string; limit: number; before?: number }) => {
        const page = { limit: options.limit, after: options.before ?? null };
        const { items } = await service.get(directory).users(page, options.search ?? null);
        return items.map(userRow);
      }),
    );

  users
    .command('show')
    .description('shows one user')
    .argument('<email>')
    .action(session.run(async (service, email: string) => userRow(await findUser(service, email))));

  users
    .command('create')
    .description('creates a user with a personal workspace on the free plan')
    .argument('<email>')
    .option('--name <name>', 'name of the user')
    .option('--password <password>', 'password; without it, the user can not log in')
    .action(
      session.run(async (service, email: string, options: { name?: string; password?: string }) => {
        const { password, name = null } = options;
        const passwordHash =
          password === undefined ? null : await service.get(passwords).hash(chosenPassword(password));
        await service.get(Accounts).open({ email, name, passwordHash });
        return userRow(await findUser(service, email));
      }),
    );

  users
    .command('set-password')
    .description('sets the password of a user')
    .argument('<email>')
    .argument('<password>')
    .action(
      session.run(async (service, email: string, password: string) => {
        await service.get(Accounts).changePassword({ email, password });
        return userRow(await findUser(service, email));
      }),
    );

  return users;
}

const userRow = (user: DirectoryUser) =>
  rowOf(user, 'id', 'email', 'name', 'workspaceId', 'isTeam', 'role', 'plan', 'createdAt');
