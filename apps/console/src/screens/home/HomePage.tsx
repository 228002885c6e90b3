import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Sparkles } from 'lucide-react';
import { useMe } from '../../shell/index.ts';
import { ErrorNotice, Page } from '../../ui/index.ts';
import { words } from '../../words.ts';
import { CreditsCard } from './CreditsCard.tsx';
import { Failures } from './Failures.tsx';
import { FirstSteps } from './FirstSteps.tsx';
import classes from './HomePage.module.css';
import { Latest } from './Latest.tsx';
import { Running } from './Running.tsx';
import { useRecent } from './use-recent.ts';

/** Open generations, credits left, the user's failures, and the latest outputs. */
export function HomePage() {
  const { user } = useMe();
  const { open, failed, done, isPending, error, retry } = useRecent();
  const isNew = !isPending && !error && open.length + failed.length + done.length === 0;
  return (
    <Page
      title={words.home.greeting(user.name)}
      actions={
        <Button component={Link} to="/generate" leftSection={<Sparkles size={17} aria-hidden />}>
          {words.home.generate}
        </Button>
      }
    >
      {error && <ErrorNotice error={error} onRetry={retry} />}
      <div className={classes.cards}>
        {!(error && open.length === 0) && <Running generations={open} isPending={isPending} />}
        <CreditsCard />
      </div>
      {isNew && <FirstSteps />}
      {failed.length > 0 && <Failures generations={failed} />}
      {(done.length > 0 || isPending) && <Latest generations={done} isPending={isPending} />}
    </Page>
  );
}
