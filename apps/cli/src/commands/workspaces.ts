import { Command } from 'commander';
import { notFound } from '#kernel';
import { Teams, type DirectoryWorkspace } from '#identity';
import { directory, plans as configuredPlans } from '#wiring';
import { findUser, integerArgument } from '../arguments.ts';
import type { Service, Session } from '../session.ts';
import { rowOf, type Row } from '../table.ts';

const LIMIT = 50;

export function plansCommand(session: Session): Command {
  const plans = new Command('plans').description('Lists plans and sets the plan of a workspace.');

  plans
    .command('list')
    .description('lists the plans as configured')
    .action(
      session.run(async (service) =>
        Object.values(service.get(configuredPlans)).map((plan) => rowOf(plan, 'id', 'monthlyCredits', 'teams')),
      ),
    );

  plans
    .command('set')
    .description('sets the plan of a workspace')
    .argument('<workspace>', 'workspace id', integerArgument)
    .argument('<plan>')
    .action(
      session.run(async (service, workspaceId: number, plan: string) =>
        workspaceRow(await service.get(Teams).update(workspaceId, { plan })),
      ),
    );

  return plans;
}

export function teamsCommand(session: Session): Command {
  const teams = new Command('teams').description('Lists, shows and creates teams.');

  teams
    .command('list')
    .description('lists teams, newest first')
    .option('--limit <number>', 'maximum number of teams', integerArgument, LIMIT)
    .option('--before <id>', 'only teams before this id', integerArgument)
    .action(
      session.run(async (service, options: { limit: number; before?: number }) => {
        const page = { limit: options.limit, after: options.before ?? null };
        return (await service.get(directory).workspaces(page, { isTeam: true })).items.map(workspaceRow);
      }),
    );

  teams
    .command('show')
    .description('shows one team')
    .argument('<id>', 'workspace id of the team', integerArgument)
    .action(session.run((service, id: number) => teamRow(service, id)));

  teams
    .command('create')
    .description('creates a team; its owner must be a user who is in no team')
    .argument('<owner>', 'e-mail of the owner')
    .option('--plan <plan>', 'a team plan', 'enterprise')
    .action(
      session.run(async (service, owner: string, options: { plan: string }) => {
        const user = await findUser(service, owner);
        const id = await service.get(Teams).open({ ownerUserId: user.id, plan: options.plan });
        return teamRow(service, id);
      }),
    );

  return teams;
}

async function teamRow(service: Service, id: number): Promise<Row> {
  const workspace = await service.get(directory).workspace(id);
  if (!workspace?.isTeam) throw notFound('team');
  return workspaceRow(workspace);
}

const workspaceRow = (workspace: DirectoryWorkspace) =>
  rowOf(workspace, 'id', 'owner', 'isTeam', 'plan', 'members', 'createdAt');
