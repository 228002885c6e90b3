import { Select, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { FilterX, SlidersHorizontal } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useState } from 'react';
import { ActionButton } from './ActionButton.tsx';
import classes from './FilterBar.module.css';
import { words } from './words.ts';

const text = words.filters;

interface FilterBarProps {
  /** The filters that are always shown. */
  readonly first: ReactNode;
  /** The other filters, if there are any. */
  readonly children?: ReactNode;
  /** The number of set filters among the others. */
  readonly count?: number;
  /** True if one of the others is wrong: they are then unfolded on a phone. */
  readonly isWrong?: boolean;
  /** True if the first filters are a strip without labels, and the others are behind a button at every width. */
  readonly isStrip?: boolean;
  /** Clears all filters; null if none is set. */
  readonly onClear: (() => void) | null;
}

/** The filters of a list. On a phone all but the first are behind a button. */
export function FilterBar({ first, children, count = 0, isWrong = false, isStrip = false, onClear }: FilterBarProps) {
  const [isUnfolded, { open: unfold, toggle }] = useDisclosure(false);
  useEffect(() => {
    if (isWrong) unfold();
  }, [isWrong, unfold]);
  const more = useId();
  const clear = onClear && (
    <ActionButton icon={FilterX} label={text.clear} className={classes.clear} variant="subtle" onClick={onClear} />
  );
  return (
    <div className={classes.filters} role="search" aria-label={text.label} data-strip={isStrip || undefined}>
      <div className={classes.first}>
        {first}
        {children && (
          <ActionButton
            icon={SlidersHorizontal}
            label={text.unfold(count)}
            className={classes.unfold}
            variant="default"
            aria-expanded={isUnfolded}
            aria-controls={more}
            onClick={toggle}
          />
        )}
        {isStrip && clear}
      </div>
      <div id={more} className={classes.more} data-unfolded={isUnfolded || undefined}>
        {children}
        {!isStrip && clear}
      </div>
    </div>
  );
}

interface FilterChoiceProps {
  readonly label: string;
  /** Shown when nothing is chosen. */
  readonly all: string;
  readonly value: string;
  readonly data: readonly { readonly id: string; readonly name: string }[];
  readonly onChange: (id: string | null) => void;
}

export function FilterChoice({ label, all, value, data, onChange }: FilterChoiceProps) {
  return (
    <Select
      searchable
      clearable
      clearButtonProps={{ 'aria-label': all }}
      label={label}
      placeholder={all}
      nothingFoundMessage={text.nothing}
      data={data.map(({ id, name }) => ({ value: id, label: name }))}
      value={value || null}
      onChange={onChange}
    />
  );
}

interface FilterTextProps {
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  /** The service's refusal of the value. */
  readonly problem: string | undefined;
  readonly onChange: (value: string) => void;
}

/** Filters when it is left or Enter is pressed: a part of a value would be refused. */
export function FilterText({ label, hint, value, problem, onChange }: FilterTextProps) {
  const [text, setText] = useState(value);
  const [applied, setApplied] = useState(value);
  // The filter was changed from elsewhere, such as by the browser's back.
  if (applied !== value) {
    setApplied(value);
    setText(value);
  }
  const apply = () => text.trim() !== value && onChange(text.trim());
  return (
    <TextInput
      label={label}
      placeholder={hint}
      value={text}
      error={problem}
      maxLength={40}
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => setText(event.target.value)}
      onBlur={apply}
      onKeyDown={(event: KeyboardEvent) => event.key === 'Enter' && apply()}
    />
  );
}

interface FilterDaysProps {
  /** Days in the reader's zone, `2026-11-22`; both are included. */
  readonly from: string;
  readonly to: string;
  readonly onChange: (part: { readonly from?: string; readonly to?: string }) => void;
}

/** The first and the last day. */
export function FilterDays({ from, to, onChange }: FilterDaysProps) {
  return (
    <>
      <TextInput
        type="date"
        label={text.from}
        value={from}
        max={to || undefined}
        onChange={(event) => onChange({ from: event.target.value })}
      />
      <TextInput
        type="date"
        label={text.to}
        value={to}
        min={from || undefined}
        onChange={(event) => onChange({ to: event.target.value })}
      />
    </>
  );
}
