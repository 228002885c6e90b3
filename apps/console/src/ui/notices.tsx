import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { words } from '../words.ts';
import { ErrorText, titleOf } from './ErrorNotice.tsx';

export function notifyDone(message: string): void {
  notifications.show({ message });
}

/** For what failed in the background or after a press of a button. */
export function notifyError(error: unknown, title: string = titleOf(error)): void {
  notifications.show({ color: 'red', title, message: <ErrorText error={error} />, autoClose: 12_000 });
}

/**
 * Says what was done, and undoes it when asked within ten seconds.
 *
 * @param lapse called once when it can't be undone any more: the notice or the page is closed. What it sends has to be
 * `keepalive`
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
        <Button size="compact-sm" variant="light" flex="none" onClick={undoOnce}>
          {words.ui.undo}
        </Button>
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
