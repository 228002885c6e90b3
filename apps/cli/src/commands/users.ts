import { Command } from 'commander';
import { Erasures } from '#erasure';
import {
  Accounts,
  type DirectoryUser,
  hashNewPassword,
  Operators,
  PasswordChanges,
  signInAddress,
  SignInLinks,
  TwoFactors,
} from '#identity';
import { auditLog, directory, passwords, unitOfWork } from '#wiring';
import { findUser, integerArgument } from '../arguments.ts';
import type { Session } from '../session.ts';
import { rowOf } from '../table.ts';

const LIMIT = 50;
const ASKS = 'asks for a password, or reads it from standard input';

export function usersCommand(session: Session): Command {
  const users = new Command('users').description('Lists, shows and creates users.');

  users
    .command('list')
    .description('lists users, newest first')
    .option('--search <text>', 'only users whose e-mail contains this text')
    .option('--limit <number>', 'maximum number of users', integerArgument, LIMIT)
    .option('--before <id>', 'only users before this id', integerArgument)
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
    .option('--password', `${ASKS}; without it, the user cannot log in`)
    .action(
      session.run(async (service, email: string, options: { name?: string; password?: boolean }) => {
        const { password = false, name = null } = options;
        const passwordHash = password
          ? await hashNewPassword(service.get(passwords), await session.readPassword())
          : null;
        await service.get(Accounts).open({ email, name, passwordHash, emailVerified: true });
        return userRow(await findUser(service, email));
      }),
    );

  users
    .command('set-password')
    .description(`sets the password of a user: ${ASKS}`)
    .argument('<email>')
    .action(
      session.run(async (service, email: string) => {
        await service.get(PasswordChanges).set({ email, password: await session.readPassword() });
        return userRow(await findUser(service, email));
      }),
    );

  users
    .command('sign-in-link')
    .description('prints a link that signs a user in to the console: once, within ten minutes, from any machine')
    .argument('<email>')
    .action(
      session.run(async (service, email: string) => {
        const { id: userId } = await findUser(service, email);
        const link = await service.get(unitOfWork).run(async () => {
          await service.get(auditLog).record({ action: 'account.sign_in_link', target: userId, details: {} });
          return service.get(SignInLinks).issue({ userId, isLocal: false });
        });
        return { email, link: signInAddress(service.settings.http.publicUrl, link), expires_at: link.expiresAt };
      }),
    );

  users
    .command('operator')
    .description('lets a user operate the service at /console/operator and /admin, or ends that')
    .argument('<email>')
    .option('--remove', 'the user is no operator any more')
    .action(
      session.run(async (service, email: string, { remove = false }: { remove?: boolean }) => {
        await service.get(Operators).appoint(email, !remove);
        return { ...userRow(await findUser(service, email)), is_operator: !remove };
      }),
    );

  users
    .command('erase')
    .description('deletes a user for good, with their personal workspace and everything in it')
    .argument('<email>')
    .action(
      session.run(async (service, email: string) => {
        const { id } = await findUser(service, email);
        await service.get(Erasures).requestAsOperator(id, { mayBeLastOperator: true });
        return { id, state: 'requested' };
      }),
    );

  users
    .command('two-factor-off')
    .description('turns two-factor off for a user who has lost the device and the recovery codes')
    .argument('<email>')
    .action(
      session.run(async (service, email: string) => {
        const user = await findUser(service, email);
        await service.get(TwoFactors).stopAsOperator(user.id);
        return userRow(user);
      }),
    );

  return users;
}

const userRow = (user: DirectoryUser) =>
  rowOf(user, 'id', 'email', 'name', 'workspaceId', 'isTeam', 'role', 'plan', 'createdAt');
