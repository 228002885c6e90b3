import { Modal, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type SyntheticEvent, useState } from 'react';
import { fieldProblem } from '../../api/index.ts';
import { ErrorNotice, FormButtons } from '../../ui/index.ts';
import { words } from './words.ts';

interface NameDialogProps extends NameFormProps {
  readonly opened: boolean;
  readonly title: string;
}

interface NameFormProps {
  readonly onClose: () => void;
  /** Text of the button, as a verb. */
  readonly action: string;
  readonly placeholder?: string;
  /** The current name. */
  readonly name?: string;
  /** The dialog closes when it resolves, and shows the error when it rejects. */
  readonly onSubmit: (name: string) => Promise<unknown>;
}

/** Asks for the name of a board or folder. */
export function NameDialog({ opened, title, ...form }: NameDialogProps) {
  return (
    <Modal opened={opened} onClose={form.onClose} title={title}>
      <NameForm {...form} />
    </Modal>
  );
}

function NameForm({ onClose, action, placeholder, name: before = '', onSubmit }: NameFormProps) {
  const [name, setName] = useState(before);
  const submission = useMutation({ mutationFn: () => onSubmit(name.trim()), onSuccess: onClose });
  const { error } = submission;
  const ofField = fieldProblem(error, 'name', words.name);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    submission.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          data-autofocus
          required
          label={words.name}
          placeholder={placeholder}
          maxLength={255}
          dir="auto"
          value={name}
          error={ofField}
          onChange={(event) => setName(event.target.value)}
        />
        {error && ofField === undefined && <ErrorNotice error={error} />}
        <FormButtons
          action={action}
          isSending={submission.isPending}
          disabled={name.trim() === ''}
          onCancel={onClose}
        />
      </Stack>
    </form>
  );
}
