import { Checkbox, Text, TextInput } from '@mantine/core';
import { Search } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Note } from '../ui/index.ts';
import classes from './BatchPanel.module.css';
import { words } from './words.ts';

/** Something to tick. */
export interface Tick {
  readonly id: string;
  readonly name: string;
  readonly note?: string;
  readonly picture: ReactNode;
}

interface TickCardsProps {
  readonly label: string;
  readonly hint?: string;
  readonly ticks: readonly Tick[];
  /** The ids of the ticked. */
  readonly value: readonly string[];
  readonly error: string | undefined;
  /** The label of the search, where there may be many. */
  readonly search?: string;
  readonly onChange: (value: readonly string[]) => void;
}

/** Cards that are shown at once; the others are found by the search. */
const SHOWN = 12;

/** Cards with pictures, several of which can be ticked. Ticked ones are always shown. */
export function TickCards({ label, hint, ticks, value, error, search, onChange }: TickCardsProps) {
  const [text, setText] = useState('');
  const wanted = text.trim().toLowerCase();
  const found = ticks.filter(({ id, name }) => value.includes(id) || name.toLowerCase().includes(wanted));
  const shown = found.filter(({ id }, at) => at < SHOWN || value.includes(id));
  const hidden = found.length - shown.length;
  return (
    <Checkbox.Group label={label} description={hint} error={error} value={[...value]} onChange={onChange}>
      {search !== undefined && ticks.length > SHOWN && (
        <TextInput
          type="search"
          mb={8}
          dir="auto"
          aria-label={search}
          placeholder={search}
          leftSection={<Search size={16} aria-hidden />}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      )}
      <div className={classes.cards}>
        {shown.map(({ id, name, note, picture }) => (
          <Checkbox.Card key={id} value={id} className={classes.card}>
            <span className={classes.picture}>{picture}</span>
            <span className={classes.text}>
              <Text span size="sm" fw={600} lh={1.3} lineClamp={2} dir="auto">
                {name}
              </Text>
              {note && (
                <Note span display="block" truncate>
                  {note}
                </Note>
              )}
            </span>
            <Checkbox.Indicator />
          </Checkbox.Card>
        ))}
      </div>
      {hidden > 0 && <Note mt={6}>{words.more(hidden)}</Note>}
    </Checkbox.Group>
  );
}
