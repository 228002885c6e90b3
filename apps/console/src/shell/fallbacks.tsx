import { Box, Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Compass } from 'lucide-react';
import type { ReactNode } from 'react';
import { EmptyPage, ErrorNotice, isUnreachable, Loading, Page } from '../ui/index.ts';
import { words } from '../words.ts';
import { NotLoaded, reloadIfReachable } from './not-loaded.ts';

/** Instead of a screen whose subject is gone. */
export function NotFound() {
  return (
    <EmptyPage
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

/** An address without a screen. */
export function NoScreen() {
  return <WithoutShell children={<NotFound />} />;
}

/** Shown for a screen that threw. */
export function ScreenError({ error }: { readonly error: unknown }) {
  if (error instanceof NotLoaded) return <Unreached title={words.shell.notLoaded} hint={words.shell.notLoadedHint} />;
  if (isUnreachable(error)) return <Unreached title={words.ui.unreachable} hint={words.ui.unreachableHint} />;
  return (
    <Page title={words.shell.broken} hint={words.shell.brokenHint}>
      <ErrorNotice error={error} onRetry={() => location.reload()} />
    </Page>
  );
}

function Unreached(text: { readonly title: string; readonly hint: string }) {
  return (
    <Page {...text}>
      <Button w="fit-content" onClick={() => void reloadIfReachable()}>
        {words.ui.retry}
      </Button>
    </Page>
  );
}

/** A frame for errors that occur before the user is known. */
export function WithoutShell({ children }: { readonly children: ReactNode }) {
  return <Box component="main" p="xl" maw={720} mx="auto" mt="xl" children={children} />;
}

export function ScreenLoading() {
  return <Loading />;
}
