import { Command } from 'commander';
import { notFound } from '#kernel';
import { Teams } from '#identity';
import { directory } from '#wiring';
import { findUser } from '../find-user.ts';
import { integerArgument } from '../integer-argument.ts';
import type { Service, Session } from '../session.ts';
import type { Row } from '../table.ts';
import { workspaceRow } from '../workspace-row.ts';

const LIMIT = 50;

export function teamsCommand(session: Session): Command {
  const teams = new Command('teams').description('Workspaces with several members.');

  session.action(
    teams
      .command('list')
      .description('lists teams, newest first')
      .option('--limit <number>', 'how many', integerArgument, LIMIT)
      .option('--before <id>', 'only those before this id', integerArgument),
    async (service, options: { limit: number; before?: number }) => {
      const page = { limit: options.limit, after: options.before ?? null };
      return (await service.get(directory).workspaces(page, true)).items.map(workspaceRow);
    },
  );

  session.action(
    teams.command('show').description('shows one team').argument('<id>', 'its workspace', integerArgument),
    (service, id: number) => teamRow(service, id),
  );

  session.action(
    teams
      .command('create')
      .description('opens a team; its owner must be a user who is in no team')
      .argument('<owner>', "the owner's e-mail")
      .option('--plan <plan>', 'a team plan', 'enterprise'),
    async (service, owner: string, options: { plan: string }) => {
      const user = await findUser(service, owner);
      const id = await service.get(Teams).open({ ownerUserId: user.id, plan: options.plan });
      return teamRow(service, id);
    },
  );

  return teams;
}

async function teamRow(service: Service, id: number): Promise<Row> {
  const workspace = await service.get(directory).workspace(id);
  if (!workspace?.isTeam) throw notFound('team');
  return workspaceRow(workspace);
}
