import { Box } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Compass } from 'lucide-react';
import type { ReactNode } from 'react';
import { ActionButton, EmptyPage, ErrorNotice, isUnreachable, Loading, Page, uiWords } from '../ui/index.ts';
import { NotLoaded, reloadIfReachable } from './not-loaded.ts';
import { words } from './words.ts';

/** Instead of a screen whose subject is gone. */
export function NotFound() {
  return (
    <EmptyPage
      icon={Compass}
      title={words.notFound}
      hint={words.notFoundHint}
      action={<ActionButton label={words.toHome} component={Link} to="/" />}
    />
  );
}

/** An address without a screen. */
export function NoScreen() {
  return <WithoutShell children={<NotFound />} />;
}

/** Shown for a screen that threw. */
export function ScreenError({ error }: { readonly error: unknown }) {
  if (error instanceof NotLoaded) return <Unreached title={words.notLoaded} hint={words.notLoadedHint} />;
  if (isUnreachable(error)) return <Unreached title={uiWords.unreachable} hint={uiWords.unreachableHint} />;
  return (
    <Page title={words.broken} hint={words.brokenHint}>
      <ErrorNotice error={error} onRetry={() => location.reload()} />
    </Page>
  );
}

function Unreached(text: { readonly title: string; readonly hint: string }) {
  return (
    <Page {...text}>
      <ActionButton label={uiWords.retry} w="fit-content" onClick={() => void reloadIfReachable()} />
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
