import { Text } from '@mantine/core';

/** Names of any length, in their own direction, in a row of a table. */
export const Name = Text.withProps<'bdi'>({ component: 'bdi', inherit: true, fw: 560, lineClamp: 2 });
export const QuietName = Text.withProps<'bdi'>({
  component: 'bdi',
  inherit: true,
  fz: 'sm',
  c: 'dimmed',
  lineClamp: 1,
});
