import { CloseButton, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { ActionButton } from '../ActionButton.tsx';
import { words } from '../words.ts';
import classes from './SelectionBar.module.css';
import type { Selection } from './selection.ts';

const text = words.selection;

interface SelectionBarProps {
  readonly selection: Selection;
  readonly onClear: () => void;
  readonly onSelectAll: () => void;
  /** The buttons of what can be done with the selected items. */
  readonly children: ReactNode;
}

/** The actions for the selected items, over the foot of the page. */
export function SelectionBar({ selection, onClear, onSelectAll, children }: SelectionBarProps) {
  const { size } = selection.ids;
  return (
    <div className={classes.bar}>
      <div role="status">
        {size > 0 && (
          <section className={classes.selection} aria-label={text.label}>
            <CloseButton aria-label={text.clear} onClick={onClear} />
            <Text fw={600} size="sm" mr={6}>
              {text.count(size)}
            </Text>
            <ActionButton label={text.all} size="compact-md" variant="subtle" onClick={onSelectAll} />
            {children}
          </section>
        )}
      </div>
    </div>
  );
}
