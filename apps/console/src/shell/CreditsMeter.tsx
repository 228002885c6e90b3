import { Progress } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { creditsGetCreditsOptions } from '../api/index.ts';
import { number } from '../ui/index.ts';
import { words } from '../words.ts';
import classes from './Navigation.module.css';

/** What is left of this month's credits, and the way to who used them. */
export function CreditsMeter() {
  const { data } = useQuery({ ...creditsGetCreditsOptions(), refetchInterval: 60_000 });
  if (!data) return <div className={classes.meter} aria-hidden />;
  const { available, purchased } = data.credits;
  const share = purchased > 0 ? Math.max(0, available / purchased) : 0;
  return (
    <Link to="/usage" className={classes.meter}>
      <span className={classes.meterText}>
        <strong>{number(available)}</strong> {words.shell.creditsLeft(number(purchased))}
      </span>
      <Progress
        value={share * 100}
        color={share < 0.1 ? 'red' : share < 0.25 ? 'yellow' : undefined}
        size={5}
        radius="xl"
        aria-hidden
      />
    </Link>
  );
}
