import { Popover, Stack, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type KeyboardEvent, type SyntheticEvent, useState } from 'react';
import type { NoteDto } from '../../api/index.ts';
import { ErrorNotice, FormButtons } from '../../ui/index.ts';
import { words } from './words.ts';

interface NoteEditorProps {
  /** Null while nothing is written. */
  readonly note: NoteDto | null;
  readonly onSave: (text: string) => Promise<unknown>;
  readonly onClose: () => void;
}

/** The text of a note, over its tile. Ctrl-Enter and leaving it save it, Escape does not. */
export function NoteEditor({ note, ...on }: NoteEditorProps) {
  return note && <OpenNote note={note} {...on} />;
}

function OpenNote({ note, onSave, onClose }: NoteEditorProps & { readonly note: NoteDto }) {
  const [text, setText] = useState(note.text);
  const saving = useMutation({ mutationFn: () => onSave(text.trim()), onSuccess: onClose });
  const canSave = text.trim() !== '';
  const save = () => (canSave && text.trim() !== note.text ? saving.mutate() : onClose());
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    save();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onClose();
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) save();
  };
  return (
    <Popover
      opened
      trapFocus
      {...{
        width: 320,
        offset: 0,
        position: 'bottom-start',
        hideDetached: false,
        closeOnEscape: false,
        withRoles: false,
      }}
      onDismiss={save}
    >
      <Popover.Target>
        <div />
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={words.note.label}>
        <Stack component="form" gap="xs" onSubmit={submit} onKeyDown={onKeyDown}>
          <Textarea
            data-autofocus
            autosize
            minRows={4}
            maxRows={12}
            aria-label={words.note.label}
            placeholder={words.note.hint}
            maxLength={4000}
            dir="auto"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
          {saving.error && <ErrorNotice error={saving.error} />}
          <FormButtons
            size="compact-sm"
            action={words.save}
            isSending={saving.isPending}
            disabled={!canSave}
            onCancel={onClose}
          />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
