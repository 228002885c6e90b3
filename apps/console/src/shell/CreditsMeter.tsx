import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { creditsGetOptions } from '../api/index.ts';
import { CreditsBar, number } from '../ui/index.ts';
import classes from './Navigation.module.css';
import { words } from './words.ts';

/** The credits left this month, with a link to their usage. */
export function CreditsMeter() {
  const { data } = useQuery({ ...creditsGetOptions(), refetchInterval: 60_000 });
  if (!data) return <div className={classes.meter} aria-hidden />;
  const { available, purchased } = data.credits;
  return (
    <Link to="/usage" className={classes.meter}>
      <span className={classes.meterText}>
        <strong>{number(available)}</strong> {words.creditsLeft(number(purchased))}
      </span>
      <CreditsBar purchased={purchased} available={available} size={5} />
    </Link>
  );
}
