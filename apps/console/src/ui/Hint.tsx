import { Text } from '@mantine/core';

/** An explanation, in dimmed text. */
export const Hint = Text.withProps({ size: 'sm', c: 'dimmed' });

/** A remark, in small and dimmed text. */
export const Note = Text.withProps({ size: 'xs', c: 'dimmed' });
