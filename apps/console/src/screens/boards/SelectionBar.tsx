import { Button, CloseButton, Text } from '@mantine/core';
import { FolderInput, Trash2 } from 'lucide-react';
import { words } from '../../words.ts';
import classes from './BoardView.module.css';
import type { Selection } from './selection.ts';

const said = words.boards;

interface SelectionBarProps {
  readonly selection: Selection;
  readonly onClear: () => void;
  readonly onSelectAll: () => void;
  readonly onMove: () => void;
  readonly onDelete: () => void;
}

/** The actions for the selected media. */
export function SelectionBar({ selection, onClear, onSelectAll, onMove, onDelete }: SelectionBarProps) {
  const { size } = selection.ids;
  return (
    <div className={classes.bar}>
      <div role="status">
        {size > 0 && (
          <section className={classes.selection} aria-label={said.selection}>
            <Text fw={600} size="sm" mr={6}>
              {said.selected(size)}
            </Text>
            <Button size="compact-md" variant="subtle" onClick={onSelectAll}>
              {said.selectAll}
            </Button>
            <Button
              size="compact-md"
              variant="light"
              leftSection={<FolderInput size={16} aria-hidden />}
              onClick={onMove}
            >
              {said.moveTo}
            </Button>
            <Button
              size="compact-md"
              variant="light"
              color="red"
              leftSection={<Trash2 size={16} aria-hidden />}
              onClick={onDelete}
            >
              {said.delete}
            </Button>
            <CloseButton aria-label={said.clear} onClick={onClear} />
          </section>
        )}
      </div>
    </div>
  );
}
