import { Button, Text } from '@mantine/core';
import { X } from 'lucide-react';
import classes from './Library.module.css';
import { words } from './words.ts';

const text = words.filters;

/** Says that the items are like a picture. */
export function Likeness({ id, onClear }: { readonly id: number; readonly onClear: () => void }) {
  return (
    <div className={classes.likeness} role="status">
      <Text size="sm" fw={560}>
        {text.like} ({id})
      </Text>
      <Button size="compact-sm" variant="default" leftSection={<X size={14} aria-hidden />} onClick={onClear}>
        {text.noLike}
      </Button>
    </div>
  );
}
