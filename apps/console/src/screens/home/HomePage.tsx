import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { MailCheck, Sparkles } from 'lucide-react';
import { libraryListOptions, type LibraryItemDto } from '../../api/index.ts';
import { shellWords, useMe, useUnverified } from '../../shell/index.ts';
import { ActionButton, EmptyState, ErrorNotice, Page, useUnderWay } from '../../ui/index.ts';
import { ConnectModel } from './ConnectModel.tsx';
import { CreditsCard } from './CreditsCard.tsx';
import { Failures } from './Failures.tsx';
import { FirstSteps } from './FirstSteps.tsx';
import classes from './HomePage.module.css';
import { Latest } from './Latest.tsx';
import { Running } from './Running.tsx';
import { words } from './words.ts';

const LATEST = { ...libraryListOptions({ query: { origin: 'output', limit: 12 } }), refetchInterval: 10_000 };
const NONE: readonly LibraryItemDto[] = [];
const FAILURES = 5;

/** Open generations, credits left, the user's failures, and the latest outputs. */
export function HomePage() {
  const { user } = useMe();
  const { underWay, failed, ...read } = useUnderWay({ userId: user.id });
  const latest = useQuery(LATEST);
  const items = latest.data?.items ?? NONE;
  const isPending = read.isPending || latest.isPending;
  const error = read.error ?? latest.error;
  const retry = () => {
    read.retry();
    void latest.refetch();
  };
  if (useUnverified()) return <Unverified name={user.name} />;
  const isNew = !isPending && !error && underWay.length + failed.length + items.length === 0;
  return (
    <Page
      title={words.greeting(user.name)}
      actions={<ActionButton component={Link} icon={Sparkles} iconSize={17} label={words.generate} to="/generate" />}
    >
      {error && <ErrorNotice error={error} onRetry={retry} />}
      <ConnectModel />
      <div className={classes.cards}>
        {!(error && underWay.length === 0) && <Running generations={underWay} isPending={read.isPending} />}
        <CreditsCard />
      </div>
      {isNew && <FirstSteps />}
      {failed.length > 0 && <Failures generations={failed.slice(0, FAILURES)} />}
      {(items.length > 0 || latest.isPending) && <Latest items={items} isPending={latest.isPending} />}
    </Page>
  );
}

/** The service shows nothing before the address is confirmed. */
function Unverified({ name }: { readonly name: string | null }) {
  return (
    <Page title={words.greeting(name)}>
      <EmptyState
        icon={MailCheck}
        title={words.unverified}
        hint={words.unverifiedHint}
        action={<ActionButton component={Link} label={shellWords.verify} to="/account" />}
      />
    </Page>
  );
}
