import { Combobox, Text, Textarea, type TextareaProps, useCombobox } from '@mantine/core';
import { type ChangeEvent, type KeyboardEvent, type SyntheticEvent, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { markAt, type Person, suggestionsFor, withMention } from './mentions.ts';
import classes from './Review.module.css';
import { usePeople } from './use-people.ts';
import { words } from './words.ts';

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
const NONE: readonly Person[] = [];

interface MentionInputProps extends Omit<TextareaProps, 'value' | 'onChange'> {
  readonly value: string;
  readonly onWrite: (text: string) => void;
}

/** A field for a comment. It suggests members while a word that begins with `@` is written. */
export function MentionInput({ value, onWrite, ...rest }: MentionInputProps) {
  const mentions = useMentions(value, onWrite);
  const { suggested, current, close, choose } = mentions;
  const isOpen = suggested.length > 0;
  const list = useId();
  const optionId = (person: Person | undefined) => person && `${list}-${person.id}`;
  const store = useCombobox({ opened: isOpen, onOpenedChange: (opened) => !opened && close() });

  return (
    <Combobox
      store={store}
      keepMounted={false}
      // A part of the dialog, and over what scrolls in it.
      withinPortal={false}
      floatingStrategy="fixed"
      position="bottom-start"
      onOptionSubmit={(id) => choose(suggested.find((person) => String(person.id) === id))}
    >
      <Combobox.Target withKeyboardNavigation={false} withAriaAttributes={false}>
        <Textarea
          {...rest}
          {...mentions.field}
          autoComplete="off"
          aria-autocomplete="list"
          aria-haspopup="listbox"
          aria-controls={isOpen ? list : undefined}
          aria-activedescendant={optionId(current)}
          value={value}
        />
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Options id={list} aria-label={words.people}>
          {suggested.map((person, at) => (
            <Combobox.Option
              key={person.id}
              id={optionId(person)}
              value={String(person.id)}
              selected={person === current}
              aria-selected={person === current}
              className={classes.person}
              onMouseMove={() => mentions.setPosition(at)}
            >
              <Suggestion person={person} />
            </Combobox.Option>
          ))}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}

/** The members to suggest at the caret, the current one of them, and the handlers of the field. */
function useMentions(value: string, onWrite: (text: string) => void) {
  const ref = useRef<HTMLTextAreaElement>(null);
  /** Null while the field has no focus, or a part of it is selected. */
  const [caret, setCaret] = useState<number | null>(null);
  const [position, setPosition] = useState(0);
  /** The place of the `@` whose list was closed. */
  const [closedAt, setClosed] = useState<number | null>(null);
  const mark = caret === null ? null : markAt(value, caret);
  const people = usePeople(mark !== null);
  const suggested = mark && mark.start !== closedAt ? suggestionsFor(mark.typed, people) : NONE;
  const current = suggested[position] ?? suggested[0];
  const close = () => setClosed(mark?.start ?? null);

  const follow = ({ currentTarget }: SyntheticEvent<HTMLTextAreaElement>) => {
    const { value: text, selectionStart: start, selectionEnd: end } = currentTarget;
    setCaret(start === end ? start : null);
    if (!markAt(text, start)) setClosed(null);
  };
  const choose = (person: Person | undefined) => {
    if (!mark || !person) return;
    const next = withMention(value, mark, person, people);
    flushSync(() => {
      onWrite(next.text);
      setCaret(next.caret);
    });
    ref.current?.setSelectionRange(next.caret, next.caret);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, shiftKey, ctrlKey, metaKey, altKey, nativeEvent } = event;
    if (!current || shiftKey || ctrlKey || metaKey || altKey || nativeEvent.isComposing) return;
    const step = STEPS[key];
    if (step) setPosition((suggested.indexOf(current) + step + suggested.length) % suggested.length);
    else if (key === 'Enter' || key === 'Tab') choose(current);
    else if (key === 'Escape') close();
    else return;
    // The form and the dialog take these keys, too.
    event.preventDefault();
    event.stopPropagation();
  };
  const onChange = (event: ChangeEvent<HTMLTextAreaElement>) => {
    setPosition(0);
    follow(event);
    onWrite(event.target.value);
  };
  const field = { ref, onChange, onKeyDown, onSelect: follow, onBlur: () => setCaret(null) };
  return { suggested, current, setPosition, close, choose, field };
}

function Suggestion({ person: { name, email } }: { readonly person: Person }) {
  return (
    <>
      <Text component="bdi" inherit truncate>
        {name || email}
      </Text>
      {name && (
        <Text size="xs" truncate>
          {email}
        </Text>
      )}
    </>
  );
}
