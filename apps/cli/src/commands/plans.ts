import { Command } from 'commander';
import { Teams } from '#identity';
import { plans as configuredPlans } from '#wiring';
import { integerArgument } from '../integer-argument.ts';
import type { Session } from '../session.ts';
import { workspaceRow } from '../workspace-row.ts';

export function plansCommand(session: Session): Command {
  const plans = new Command('plans').description('What workspaces get each month.');

  session.action(plans.command('list').description('lists the plans as configured'), async (service) =>
    Object.values(service.get(configuredPlans)).map(({ id, monthlyCredits, teams }) => ({
      id,
      monthly_credits: monthlyCredits,
      teams,
    })),
  );

  session.action(
    plans
      .command('set')
      .description('puts a workspace on a plan')
      .argument('<workspace>', 'its id', integerArgument)
      .argument('<plan>'),
    async (service, workspaceId: number, plan: string) =>
      workspaceRow(await service.get(Teams).changePlan(workspaceId, plan)),
  );

  return plans;
}
