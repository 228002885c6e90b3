import { TextInput, Tooltip, UnstyledButton } from '@mantine/core';
import { type KeyboardEvent, type Ref, useImperativeHandle, useState } from 'react';
import { words } from '../words.ts';
import classes from './MediaViewer.module.css';

export interface EditableNameHandle {
  edit(): void;
}

interface EditableNameProps {
  readonly ref: Ref<EditableNameHandle>;
  readonly name: string;
  /** Absent for a name that can't be changed. */
  readonly onRename: ((name: string) => void) | undefined;
}

/** A name, which a press or F2 makes a field where it can be changed. Enter and leaving the field save it, Escape does not. */
export function EditableName({ ref, name, onRename }: EditableNameProps) {
  const [text, setText] = useState<string | null>(null);
  useImperativeHandle(ref, () => ({ edit: () => setText(name) }), [name]);
  const end = (isSaved: boolean) => {
    setText(null);
    const changed = text?.trim() ?? '';
    if (isSaved && changed !== '' && changed !== name) onRename?.(changed);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== 'Escape') return;
    // The viewer closes by Escape, too.
    event.nativeEvent.stopPropagation();
    end(event.key === 'Enter');
  };
  if (!onRename) return <div className={classes.name} dir="auto" children={name} />;
  if (text === null) {
    return (
      <Tooltip label={words.viewer.rename}>
        <UnstyledButton className={classes.name} aria-label={words.viewer.nameOf(name)} onClick={() => setText(name)}>
          {name}
        </UnstyledButton>
      </Tooltip>
    );
  }
  return (
    <TextInput
      className={classes.name}
      data-mantine-stop-propagation
      autoFocus
      aria-label={words.viewer.name}
      maxLength={255}
      dir="auto"
      value={text}
      onFocus={(event) => event.target.select()}
      onChange={(event) => setText(event.target.value)}
      onKeyDown={onKeyDown}
      onBlur={() => end(true)}
    />
  );
}
