import { Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { CircleCheck, CircleX, TriangleAlert } from 'lucide-react';
import { type Column, DataTable, EmptyState, number } from '../../ui/index.ts';
import { words } from '../../words.ts';
import { HealthBadge } from './HealthBadge.tsx';
import type { CheckDto, ProviderDto } from './generated/index.ts';
import { useRead } from './operator-queries.ts';
import { Read } from './Read.tsx';
import classes from './Operator.module.css';

/** The doctor's checks, failed checks first, and the providers. */
export function HealthPart() {
  const doctor = useRead('doctor');
  const providers = useRead('providers');
  return (
    <Stack gap="lg">
      <Read title={words.operator.checks} query={doctor}>
        {({ checks }) => <Checks checks={checks} />}
      </Read>
      <Read title={words.operator.providers} query={providers}>
        {({ providers }) => <Providers providers={providers} />}
      </Read>
    </Stack>
  );
}

function Checks({ checks }: { readonly checks: readonly CheckDto[] }) {
  const ill = checks.filter(({ state }) => state === 'ill');
  const well = checks.filter(({ state }) => state === 'well');
  const { allWell, allWellHint, someIll } = words.operator;
  const isWell = ill.length === 0;
  const Icon = isWell ? CircleCheck : TriangleAlert;
  return (
    <>
      <div className={classes.verdict} role="status">
        <ThemeIcon size={40} radius="xl" variant="light" color={isWell ? 'sea' : 'red'} aria-hidden>
          <Icon size={21} />
        </ThemeIcon>
        <div>
          <Title order={3}>{isWell ? allWell : someIll(ill.length)}</Title>
          {isWell && (
            <Text size="sm" c="dimmed">
              {allWellHint(checks.length)}
            </Text>
          )}
        </div>
      </div>
      <ul className={classes.checks} aria-label={words.operator.checks}>
        {[...ill, ...well].map((each) => (
          <CheckRow key={each.check} {...each} />
        ))}
      </ul>
    </>
  );
}

function CheckRow({ check, state, finding, advice }: CheckDto) {
  const Icon = state === 'well' ? CircleCheck : CircleX;
  return (
    <li>
      <Icon size={18} className={classes.mark} data-state={state} aria-label={words.operator.states[state]} />
      <Text inherit fw={600} className={classes.check}>
        {check}
      </Text>
      <div className={classes.finding}>
        <Text inherit c={state === 'well' ? 'dimmed' : undefined}>
          {finding}
        </Text>
        {advice !== null && (
          <Text inherit fw={560}>
            {advice}
          </Text>
        )}
      </div>
    </li>
  );
}

const titles = words.operator.providerColumns;

const COLUMNS: readonly Column<ProviderDto>[] = [
  { title: titles.id, width: 'minmax(0, 1fr)', cell: ({ id }) => <Text inherit fw={600} children={id} /> },
  { title: titles.health, width: 'minmax(0, 2fr)', cell: ({ health }) => <HealthBadge health={health} /> },
  { title: titles.concurrent, width: '6rem', isRight: true, cell: ({ max_concurrent: most }) => number(most) },
  {
    title: titles.perMinute,
    width: '6rem',
    isRight: true,
    cell: ({ submissions_per_minute: most }) => (most === null ? words.operator.noLimit : number(most)),
  },
];

function Providers({ providers }: { readonly providers: readonly ProviderDto[] }) {
  const { noProviders, noProvidersHint } = words.operator;
  if (providers.length === 0) return <EmptyState title={noProviders} hint={noProvidersHint} />;
  return <DataTable label={words.operator.providers} rows={providers} columns={COLUMNS} keyOf={({ id }) => id} />;
}
