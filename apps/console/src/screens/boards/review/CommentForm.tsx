import { Button, Group, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type KeyboardEvent, type ReactNode, type SyntheticEvent, useState } from 'react';
import { fieldProblem } from '../../../api/index.ts';
import { ErrorNotice, uiWords } from '../../../ui/index.ts';
import { draftOf, keepDraft } from './drafts.ts';
import { MentionInput } from './MentionInput.tsx';
import { words } from './words.ts';

interface CommentFormProps {
  /** What is written about: the text is kept until it is sent. */
  readonly draft: string;
  readonly label: string;
  /** What the button does, as a verb. */
  readonly action: string;
  /** The current text. */
  readonly text?: string;
  /** Nothing can be sent any more; the text can still be copied. */
  readonly isClosed?: boolean;
  /** Whether the key for comments goes to this form. */
  readonly keyTarget?: boolean;
  /** The form is emptied when it resolves, and shows the error when it rejects. */
  readonly onSubmit: (text: string) => Promise<unknown>;
  /** Closes the form; absent where it stays. */
  readonly onCancel?: () => void;
  /** Shown above the buttons. */
  readonly before?: ReactNode;
}

/** Writes a comment. Ctrl-Enter sends it. */
export function CommentForm(props: CommentFormProps) {
  const { draft, label, action, text: known = '', isClosed = false, keyTarget, onSubmit, onCancel, before } = props;
  const [text, setText] = useState(draftOf(draft) ?? known);
  const write = (next: string) => {
    setText(next);
    keepDraft(draft, next);
  };
  const sending = useMutation({
    mutationFn: async () => {
      await onSubmit(text);
      keepDraft(draft, '');
    },
    onSuccess: () => setText(''),
  });
  const problem = fieldProblem(sending.error, 'text', label);
  const send = () => {
    if (text.trim() !== '' && !sending.isPending && !isClosed) sending.mutate();
  };
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    send();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) return submit(event);
    if (event.key !== 'Escape') return;
    if (onCancel) cancel();
    else event.currentTarget.ownerDocument.querySelector<HTMLElement>('[data-autofocus]')?.focus();
  };
  const cancel = () => {
    keepDraft(draft, '');
    onCancel?.();
  };
  return (
    <form onSubmit={submit} onKeyDown={onKeyDown}>
      <Stack gap="xs">
        <MentionInput
          autosize
          minRows={2}
          maxRows={8}
          maxLength={4_000}
          dir="auto"
          aria-label={label}
          placeholder={words.placeholder}
          autoFocus={onCancel !== undefined}
          // Escape leaves the field, and the viewer open.
          data-mantine-stop-propagation
          data-comment={keyTarget || undefined}
          value={text}
          error={problem}
          onWrite={write}
        />
        {before}
        {sending.error && problem === undefined && <ErrorNotice error={sending.error} />}
        <Group gap="xs" justify="flex-end">
          {onCancel && (
            <Button size="compact-sm" variant="default" onClick={cancel}>
              {uiWords.cancel}
            </Button>
          )}
          <Button size="compact-sm" type="submit" disabled={text.trim() === '' || isClosed} loading={sending.isPending}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
