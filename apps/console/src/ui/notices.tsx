import { Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { QueryClient } from '@tanstack/react-query';
import { ActionButton } from './ActionButton.tsx';
import type { Changes, Show } from '../state/index.ts';
import { ErrorText, titleOf } from './ErrorNotice.tsx';
import { words } from './words.ts';

/** @param about its subject: a later notice about the same replaces it */
export function notifyDone(message: string, about?: string): void {
  showInstead(about, { message });
}

function showInstead(id: string | undefined, notice: Parameters<typeof notifications.show>[0]): void {
  if (id !== undefined) notifications.hide(id);
  notifications.show({ ...notice, id });
}

/** For failures in the background or after the press of a button. */
export function notifyError(error: unknown, title: string = titleOf(error), about?: string): void {
  showInstead(about, { color: 'red', title, message: <ErrorText error={error} />, autoClose: 12_000 });
}

/**
 * Notifies of a change, and offers to undo it for ten seconds.
 *
 * @param lapse called once when the notice or the page is closed and the change can't be undone any more. Its requests must
 * be `keepalive`
 */
export function offerUndo(message: string, undo: () => unknown, lapse?: () => unknown): void {
  const { promise, resolve: decide } = Promise.withResolvers<(() => unknown) | undefined>();
  const close = (): void => decide(lapse);
  const closeWithPage = (): void => void lapse?.();
  addEventListener('pagehide', closeWithPage);
  const undoOnce = () => {
    decide(undo);
    notifications.hide(id);
  };
  const id = notifications.show({
    autoClose: 10_000,
    onClose: close,
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">{message}</Text>
        <ActionButton label={words.undo} size="compact-sm" variant="light" flex="none" onClick={undoOnce} />
      </Group>
    ),
  });
  promise
    .then((decided) => {
      removeEventListener('pagehide', closeWithPage);
      return decided?.();
    })
    .catch((error: unknown) => notifyError(error));
}

interface LateChange<Data> {
  readonly message: string;
  readonly show: Show<Data>;
  /** Its requests must be `keepalive`. */
  readonly work: () => Promise<unknown>;
  /** The title of the notice when it fails. */
  readonly failure?: string;
  /** Undoes further changes. */
  readonly undo?: () => unknown;
}

/** Shows a change at once, and makes it when the offer to undo it expires. */
export function makeUnlessUndone<Data>(changes: Changes<Data>, queries: QueryClient, late: LateChange<Data>): void {
  const end = changes.show(late.show);
  const undo = () => {
    end();
    return late.undo?.();
  };
  const make = () => {
    const made = changes.make(queries, late.show, late.work);
    end();
    return made.catch((error: unknown) => notifyError(error, late.failure));
  };
  offerUndo(late.message, undo, make);
}

interface UndoableChange<Data> extends Pick<LateChange<Data>, 'message' | 'show' | 'failure'> {
  /** @returns how to undo it; null where that can't be done */
  readonly work: () => Promise<(() => unknown) | null>;
}

/** Makes a change at once, so that a closed page does not lose it, and offers to undo it. */
export async function makeWithUndo<Data>(
  changes: Changes<Data>,
  queries: QueryClient,
  { message, show, work, failure }: UndoableChange<Data>,
): Promise<void> {
  try {
    const undo = await changes.make(queries, show, work);
    if (undo) offerUndo(message, undo);
    else notifyDone(message);
  } catch (error) {
    notifyError(error, failure);
  }
}
