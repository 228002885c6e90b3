import { Skeleton, Stack, VisuallyHidden } from '@mantine/core';
import { words } from './words.ts';

/** Grey rows, shown while a list is loading. */
export function Loading({ rows = 4, height = 64 }: { readonly rows?: number; readonly height?: number }) {
  return (
    <Stack gap="sm" role="status" aria-busy>
      <VisuallyHidden>{words.loading}</VisuallyHidden>
      {Array.from({ length: rows }, (_, row) => (
        <Skeleton key={row} height={height} />
      ))}
    </Stack>
  );
}
