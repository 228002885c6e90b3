import { Progress, Text } from '@mantine/core';
import type { CreditsDto } from '../../api/index.ts';
import { Facts, number, Section } from '../../ui/index.ts';
import { words } from '../../words.ts';
import classes from './Budget.module.css';
import { daysAround } from './usage.ts';

interface BudgetProps {
  readonly credits: CreditsDto;
  /** Of the whole workspace; null when only the own ones are known. */
  readonly reserved: number | null;
  readonly now: Date;
}

/** What is left of this month's credits, and for how long it has to last. */
export function Budget({ credits: { purchased, used, available }, reserved, now }: BudgetProps) {
  const { day, left } = daysAround(now);
  const charged = used - (reserved ?? 0);
  const shareOf = (part: number) => (purchased > 0 ? (part / Math.max(purchased, used)) * 100 : 0);
  const term = reserved === null ? words.usage.parts.used : words.usage.parts.charged;
  const runs = reserved === null ? [] : [{ term: words.usage.parts.reserved, value: number(reserved) }];
  return (
    <Section title={words.usage.budget}>
      <Text className={classes.left}>
        <strong>{number(available)}</strong> {words.usage.left}{' '}
        <Text span c="dimmed">
          {words.usage.of(number(purchased))}
        </Text>
      </Text>
      <Progress.Root size={14} radius="xl" my="md" aria-hidden>
        <Progress.Section value={shareOf(charged)} color="sea" />
        <Progress.Section value={shareOf(reserved ?? 0)} color="sea.4" striped />
      </Progress.Root>
      {advice(purchased, available) && (
        <Text mb="md" fw={560}>
          {advice(purchased, available)}
        </Text>
      )}
      <Facts
        items={[
          { term, value: number(charged) },
          ...runs,
          { term: words.usage.daysLeft, value: number(left) },
          { term: words.usage.perDay, value: number(used / day) },
          { term: words.usage.allowance, value: number(Math.floor(available / left)) },
        ]}
      />
    </Section>
  );
}

const LOW = 0.1;

function advice(purchased: number, available: number): string | null {
  if (available <= 0) return words.usage.spent;
  return available < purchased * LOW ? words.usage.low : null;
}
