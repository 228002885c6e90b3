import { Group, Modal, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { ActionButton } from './ActionButton.tsx';
import { ErrorNotice } from './ErrorNotice.tsx';
import { words } from './words.ts';

interface ConfirmDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** The deleted things, and whether they can be restored. */
  readonly children: ReactNode;
  /** Text of the button, as a verb. */
  readonly action: string;
  /** The dialog closes when it resolves, and shows the error when it rejects. */
  readonly onConfirm: () => Promise<unknown>;
  /** A word to type first, for irreversible actions. */
  readonly typed?: string;
  readonly color?: string;
}

/** Asks before a step that can't be undone. */
export function ConfirmDialog({ opened, onClose, title, ...question }: ConfirmDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title={title}>
      <Question onClose={onClose} {...question} />
    </Modal>
  );
}

type QuestionProps = Omit<ConfirmDialogProps, 'opened' | 'title'>;

function Question({ children, action, onConfirm, onClose, typed, color = 'red.9' }: QuestionProps) {
  const [text, setText] = useState('');
  const confirmation = useMutation({ mutationFn: () => onConfirm(), onSuccess: onClose });
  return (
    <Stack gap="md">
      {children}
      {typed !== undefined && (
        <TextInput label={words.typeToConfirm(typed)} value={text} onChange={(event) => setText(event.target.value)} />
      )}
      {confirmation.error && <ErrorNotice error={confirmation.error} />}
      <Group justify="flex-end">
        <ActionButton label={words.cancel} variant="default" data-autofocus onClick={onClose} />
        <ActionButton
          label={action}
          color={color}
          loading={confirmation.isPending}
          disabled={typed !== undefined && text.trim() !== typed}
          onClick={() => confirmation.mutate()}
        />
      </Group>
    </Stack>
  );
}
