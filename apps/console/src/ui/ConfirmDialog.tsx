import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { words } from '../words.ts';
import { ErrorNotice } from './ErrorNotice.tsx';

interface ConfirmDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** What will go, and whether it can come back. */
  readonly children: ReactNode;
  /** What the button does, as a verb. */
  readonly action: string;
  /** The dialog closes when it resolves, and shows the error when it rejects. */
  readonly onConfirm: () => Promise<unknown>;
  /** For what can never come back: the word to type first. */
  readonly typed?: string;
  readonly color?: string;
}

/** Asks before a step that can't be undone. */
export function ConfirmDialog({ opened, onClose, title, ...question }: ConfirmDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title={title} centered closeButtonProps={{ 'aria-label': words.ui.close }}>
      <Question onClose={onClose} {...question} />
    </Modal>
  );
}

type QuestionProps = Omit<ConfirmDialogProps, 'opened' | 'title'>;

function Question({ children, action, onConfirm, onClose, typed, color = 'red.9' }: QuestionProps) {
  const [text, setText] = useState('');
  const [isRunning, setRunning] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const confirm = async () => {
    setRunning(true);
    setError(null);
    try {
      await onConfirm();
      onClose();
    } catch (thrown) {
      setError(thrown);
    } finally {
      setRunning(false);
    }
  };
  return (
    <Stack gap="md">
      {children}
      {typed !== undefined && (
        <TextInput
          label={words.ui.typeToConfirm(typed)}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      )}
      {error !== null && <ErrorNotice error={error} />}
      <Group justify="flex-end">
        <Button variant="default" data-autofocus onClick={onClose}>
          {words.ui.cancel}
        </Button>
        <Button
          color={color}
          loading={isRunning}
          disabled={typed !== undefined && text.trim() !== typed}
          onClick={() => void confirm()}
        >
          {action}
        </Button>
      </Group>
    </Stack>
  );
}
