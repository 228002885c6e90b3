import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Compass } from 'lucide-react';
import { EmptyState, ErrorNotice, Loading, Page } from '../ui/index.ts';
import { words } from '../words.ts';

export function NotFound() {
  return (
    <EmptyState
      icon={Compass}
      title={words.shell.notFound}
      hint={words.shell.notFoundHint}
      action={
        <Button component={Link} to="/">
          {words.shell.toHome}
        </Button>
      }
    />
  );
}

/** In the place of a screen that threw. */
export function ScreenError({ error }: { readonly error: unknown }) {
  return (
    <Page title={words.shell.broken} hint={words.shell.brokenHint}>
      <ErrorNotice error={error} onRetry={() => location.reload()} />
    </Page>
  );
}

export function ScreenLoading() {
  return <Loading />;
}
