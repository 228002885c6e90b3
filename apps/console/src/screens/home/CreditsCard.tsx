import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { creditsGetOptions } from '../../api/index.ts';
import { CreditsBar, ErrorNotice, Hint, number, Section } from '../../ui/index.ts';
import classes from './HomePage.module.css';
import { daysLeft } from './month.ts';
import { words } from './words.ts';

/** The credits left this month. */
export function CreditsCard() {
  const { data, error, refetch } = useQuery(creditsGetOptions());
  return (
    <Section title={words.credits.title}>
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={92} />}
      {data && <Left {...data.credits} />}
      <Link to="/usage" className={`${classes.link} ${classes.atEnd}`}>
        {words.credits.who}
      </Link>
    </Section>
  );
}

interface LeftProps {
  readonly purchased: number;
  readonly available: number;
}

function Left({ purchased, available }: LeftProps) {
  const days = daysLeft();
  return (
    <>
      <div className={classes.figure}>
        <strong>{number(available)}</strong>
        <span>{words.credits.of(number(purchased))}</span>
      </div>
      <CreditsBar purchased={purchased} available={available} size={8} mt={10} />
      <Hint mt={8}>{available > 0 ? words.credits.renewed(days) : words.credits.none(days)}</Hint>
    </>
  );
}
