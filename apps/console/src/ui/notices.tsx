import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { words } from '../words.ts';
import { ErrorText } from './ErrorNotice.tsx';

export function notifyDone(message: string): void {
  notifications.show({ message });
}

/** For what failed in the background or after a press of a button. */
export function notifyError(error: unknown, title: string = words.ui.failed): void {
  notifications.show({ color: 'red', title, message: <ErrorText error={error} />, autoClose: 12_000 });
}

/** Says what was done, and undoes it when asked within ten seconds. */
export function offerUndo(message: string, undo: () => unknown): void {
  const undoOnce = () => {
    notifications.hide(id);
    void Promise.resolve()
      .then(undo)
      .catch((error: unknown) => notifyError(error));
  };
  const id = notifications.show({
    autoClose: 10_000,
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">{message}</Text>
        <Button size="compact-sm" variant="light" onClick={undoOnce}>
          {words.ui.undo}
        </Button>
      </Group>
    ),
  });
}
