import { Text } from '@mantine/core';
import type { CreditsDto } from '../../api/index.ts';
import { CreditsBar, Facts, Hint, number, Section } from '../../ui/index.ts';
import classes from './Budget.module.css';
import { perDay } from './formats.ts';
import { daysAround } from './usage.ts';
import { words } from './words.ts';

interface BudgetProps {
  readonly credits: CreditsDto;
  /** Reserved credits of the workspace; null if the user sees only their own. */
  readonly reserved: number | null;
  readonly now: Date;
}

/** The credits left this month, with the days left and the use per day. */
export function Budget({ credits: { purchased, used, available }, reserved, now }: BudgetProps) {
  const { day, left } = daysAround(now);
  const charged = used - (reserved ?? 0);
  const term = reserved === null ? words.parts.used : words.parts.charged;
  const runs = reserved === null ? [] : [{ term: words.parts.reserved, value: number(reserved) }];
  return (
    <Section title={words.budget}>
      <Text className={classes.left}>
        <strong>{number(available)}</strong> {words.left}{' '}
        <Text span c="dimmed">
          {words.of(number(purchased))}
        </Text>
      </Text>
      <CreditsBar purchased={purchased} available={available} reserved={reserved ?? 0} size={14} mt="md" />
      <Hint mt={6} mb="md">
        {words.bar(!!reserved)}
      </Hint>
      {advice(purchased, available) && (
        <Text mb="md" fw={560}>
          {advice(purchased, available)}
        </Text>
      )}
      <Facts
        items={[
          { term, value: number(charged) },
          ...runs,
          { term: words.daysLeft, value: number(left) },
          { term: words.perDay, value: perDay(used / day) },
          { term: words.allowance, value: perDay(Math.max(0, available) / left) },
        ]}
      />
    </Section>
  );
}

const LOW = 0.1;

function advice(purchased: number, available: number): string | null {
  if (available <= 0) return words.spent;
  return available < purchased * LOW ? words.low : null;
}
