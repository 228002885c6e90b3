import { randomUUID } from 'node:crypto';
import { Command } from 'commander';
import { notFound } from '#kernel';
import { available, GrantCredits, monthOf } from '#credits';
import { planOf } from '#identity';
import { clock, creditAudit, creditLedger, directory, plans, unitOfWork } from '#wiring';
import { integerArgument } from '../integer-argument.ts';
import type { Service, Session } from '../session.ts';
import type { Row } from '../table.ts';

export function creditsCommand(session: Session): Command {
  const credits = new Command('credits').description('What workspaces have, and have spent.');

  session.action(
    credits
      .command('show')
      .description("shows a workspace's credits of this month")
      .argument('<workspace>', 'its id', integerArgument),
    (service, workspaceId: number) => balanceRow(service, workspaceId),
  );

  session.action(
    credits
      .command('grant')
      .description('adds credits to what a workspace has this month')
      .argument('<workspace>', 'its id', integerArgument)
      .argument('<amount>', 'credits', integerArgument)
      .requiredOption('--reason <text>', 'why, for the books')
      .option('--key <text>', 'the same key grants once, however often this is run'),
    async (service, workspaceId: number, amount: number, options: { reason: string; key?: string }) => {
      await balanceRow(service, workspaceId);
      const { reason, key = randomUUID() } = options;
      await service.get(GrantCredits).run({ workspaceId, amount, reason, key });
      return balanceRow(service, workspaceId);
    },
  );

  session.action(
    credits
      .command('rebuild')
      .description('makes the running sums anew from the ledger; spending waits meanwhile'),
    async (service) => {
      const audit = service.get(creditAudit);
      await service.get(unitOfWork).run(() => audit.rebuildSums());
      return { rebuilt: true, faults: (await audit.faults()).length };
    },
  );

  session.action(
    credits
      .command('verify')
      .description('compares the running sums with the ledger; fails when they differ'),
    async (service) => (await service.get(creditAudit).faults()).map((fault) => ({ ...fault })),
    (faults) => Array.isArray(faults) && faults.length > 0,
  );

  return credits;
}

async function balanceRow(service: Service, workspaceId: number): Promise<Row> {
  const workspace = await service.get(directory).workspace(workspaceId);
  if (!workspace) throw notFound('workspace');
  const month = monthOf(service.get(clock).now());
  const { monthlyCredits } = planOf(service.get(plans), workspace.plan);
  const balance = await service.get(creditLedger).balance(workspaceId, month, monthlyCredits);
  return {
    workspace_id: workspaceId,
    plan: workspace.plan,
    month,
    allocation: balance.allocation,
    used: balance.used,
    available: available(balance),
  };
}
