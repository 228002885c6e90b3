import { Group, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { CircleCheck, CircleX, TriangleAlert } from 'lucide-react';
import { Hint } from '../../ui/index.ts';
import { EndingModels } from './catalogue/EndingModels.tsx';
import type { CheckDto } from './generated/index.ts';
import { useRead } from './operator-queries.ts';
import { Read } from './Read.tsx';
import classes from './Operator.module.css';
import { words } from './words.ts';

/** The models that end, and the doctor's checks, failed checks first. */
export function HealthPart() {
  return (
    <Stack gap="lg">
      <EndingModels />
      <Read title={words.checks} query={useRead('doctor')}>
        {({ checks }) => <Checks checks={checks} />}
      </Read>
    </Stack>
  );
}

function Checks({ checks }: { readonly checks: readonly CheckDto[] }) {
  const ill = checks.filter(({ state }) => state === 'ill');
  const well = checks.filter(({ state }) => state === 'well');
  const { allWell, allWellHint, someIll } = words;
  const isWell = ill.length === 0;
  const Icon = isWell ? CircleCheck : TriangleAlert;
  return (
    <>
      <Group wrap="nowrap" gap={14} pb={16} role="status">
        <ThemeIcon size={40} radius="xl" variant="light" color={isWell ? 'sea' : 'red'} aria-hidden>
          <Icon size={21} />
        </ThemeIcon>
        <div>
          <Title order={3}>{isWell ? allWell : someIll(ill.length)}</Title>
          {isWell && <Hint>{allWellHint(checks.length)}</Hint>}
        </div>
      </Group>
      <ul className={classes.checks} aria-label={words.checks}>
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
      <Icon size={18} className={classes.mark} data-state={state} aria-label={words.states[state]} />
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
