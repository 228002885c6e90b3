import { Badge } from '@mantine/core';
import { type Column, column, DataTable, Note, number } from '../../ui/index.ts';
import type { PlanDto } from './generated/index.ts';
import { useRead } from './operator-queries.ts';
import { Read } from './Read.tsx';
import { RowName } from './RowName.tsx';
import { words } from './words.ts';

const titles = words.planColumns;

const counted = (title: string, key: 'monthly_credits' | 'workspaces' | 'teams'): Column<PlanDto> =>
  column(title, '8rem', (plan) => number(plan[key]), { isRight: true });

const COLUMNS: readonly Column<PlanDto>[] = [
  column(titles.plan, 'minmax(0, 1fr)', (plan) => <Name {...plan} />),
  counted(titles.credits, 'monthly_credits'),
  counted(titles.workspaces, 'workspaces'),
  counted(titles.teams, 'teams'),
];

/** The plans, with the numbers of workspaces on them. */
export function PlansPart() {
  return (
    <Read query={useRead('plans')}>
      {({ plans }) => <DataTable label={words.tabs.plans} rows={plans} columns={COLUMNS} keyOf={({ id }) => id} />}
    </Read>
  );
}

function Name({ id, is_team_plan: isTeamPlan, is_configured: isConfigured }: PlanDto) {
  const badges = (
    <>
      {isTeamPlan && <Badge>{words.teamPlan}</Badge>}
      {!isConfigured && <Badge color="red">{words.gonePlan}</Badge>}
    </>
  );
  return (
    <RowName name={id} badges={badges}>
      {!isConfigured && <Note>{words.gonePlanHint}</Note>}
    </RowName>
  );
}
