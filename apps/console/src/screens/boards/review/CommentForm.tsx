import { Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type KeyboardEvent, type ReactNode, type SyntheticEvent, useState } from 'react';
import { fieldProblem } from '../../../api/index.ts';
import { ErrorNotice, FormButtons } from '../../../ui/index.ts';
import { draftOf, keepDraft } from './drafts.ts';
import { MentionInput } from './MentionInput.tsx';
import { words } from './words.ts';

interface CommentFormProps {
  /** Name of the draft: the text is kept until it is sent. */
  readonly draft: string;
  readonly label: string;
  /** Text of the button, as a verb. */
  readonly action: string;
  /** The current text. */
  readonly text?: string;
  /** Nothing can be sent any more; the text can still be copied. */
  readonly isClosed?: boolean;
  /** True if the key for comments goes to this form. */
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
  const { draft, label, text: known = '', isClosed = false, onSubmit, onCancel } = props;
  const [text, write] = useDraft(draft, known);
  const cancel =
    onCancel &&
    (() => {
      write('');
      onCancel();
    });
  const sending = useMutation({
    mutationFn: async () => {
      await onSubmit(text);
      keepDraft(draft, '');
    },
    onSuccess: () => write(''),
  });
  const problem = fieldProblem(sending.error, 'text', label);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (text.trim() !== '' && !sending.isPending && !isClosed) sending.mutate();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) return submit(event);
    if (event.key !== 'Escape') return;
    if (cancel) cancel();
    else event.currentTarget.ownerDocument.querySelector<HTMLElement>('[data-autofocus]')?.focus();
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
          autoFocus={cancel !== undefined}
          // Escape leaves the field, and the viewer open.
          data-mantine-stop-propagation
          data-comment={props.keyTarget || undefined}
          value={text}
          error={problem}
          onWrite={write}
        />
        {props.before}
        {sending.error && problem === undefined && <ErrorNotice error={sending.error} />}
        <FormButtons
          size="compact-sm"
          action={props.action}
          isSending={sending.isPending}
          disabled={text.trim() === '' || isClosed}
          onCancel={cancel}
        />
      </Stack>
    </form>
  );
}

/** The text of a comment, kept until it is sent. */
function useDraft(draft: string, known: string): [string, (text: string) => void] {
  const [text, setText] = useState(draftOf(draft) ?? known);
  const write = (next: string) => {
    setText(next);
    keepDraft(draft, next);
  };
  return [text, write];
}
