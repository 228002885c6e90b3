import { randomUUID } from 'node:crypto';
import { Command } from 'commander';
import { notFound } from '#kernel';
import { Credits } from '#credits';
import { creditAudit, directory, unitOfWork } from '#wiring';
import { integerArgument } from '../arguments.ts';
import { isAnyFound, type Service, type Session } from '../session.ts';
import type { Row } from '../table.ts';

export function creditsCommand(session: Session): Command {
  const credits = new Command('credits').description('Shows, grants and verifies the credits of workspaces.');

  credits
    .command('show')
    .description('shows the credits of a workspace in this month')
    .argument('<workspace>', 'workspace id', integerArgument)
    .action(session.run((service, workspaceId: number) => creditsRow(service, workspaceId)));

  credits
    .command('grant')
    .description('adds credits to this month of a workspace')
    .argument('<workspace>', 'workspace id', integerArgument)
    .argument('<amount>', 'credits', integerArgument)
    .requiredOption('--reason <text>', 'reason, recorded in the ledger')
    .option('--key <text>', 'idempotency key: grants with the same key add credits once')
    .action(
      session.run(async (service, workspaceId: number, amount: number, options: { reason: string; key?: string }) => {
        await creditsRow(service, workspaceId);
        const { reason, key = randomUUID() } = options;
        await service.get(Credits).grant({ workspaceId, amount, reason, key });
        return creditsRow(service, workspaceId);
      }),
    );

  credits
    .command('rebuild')
    .description('rebuilds the running sums from the ledger; spending waits meanwhile')
    .action(
      session.run(async (service) => {
        const audit = service.get(creditAudit);
        await service.get(unitOfWork).run(() => audit.rebuildSums());
        return { rebuilt: true, faults: (await audit.faults()).length };
      }),
    );

  credits
    .command('verify')
    .description('compares the running sums with the ledger; fails when they differ')
    .action(session.run((service) => service.get(creditAudit).faults(), isAnyFound));

  return credits;
}

async function creditsRow(service: Service, workspaceId: number): Promise<Row> {
  const workspace = await service.get(directory).workspace(workspaceId);
  if (!workspace) throw notFound('workspace');
  const { month, allocation, used, available } = await service.get(Credits).current(workspaceId, workspace.plan);
  return { workspace_id: workspaceId, plan: workspace.plan, month, allocation, used, available };
}
