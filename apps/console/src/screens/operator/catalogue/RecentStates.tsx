import { Progress, Text } from '@mantine/core';
import { number } from '../../../ui/index.ts';
import type { CatalogueModelDto } from '../generated/index.ts';
import { sharesOf } from '../rules.ts';
import { words as operatorWords } from '../words.ts';

const COLORS: Readonly<Record<string, string>> = { succeeded: 'sea', failed: 'red', running: 'blue', queued: 'yellow' };

/** How the newest generations of a model ended. */
export function RecentStates({ counts }: { readonly counts: CatalogueModelDto['recent'] }) {
  const shares = sharesOf(counts);
  if (shares.length === 0) return <Text inherit c="dimmed" children={operatorWords.none} />;
  return (
    <div style={{ flex: 1 }}>
      <Progress.Root size={6} aria-hidden>
        {shares.map(({ state, share }) => (
          <Progress.Section key={state} value={share * 100} color={COLORS[state] ?? 'gray'} withAria={false} />
        ))}
      </Progress.Root>
      <Text size="xs" mt={6}>
        {shares
          .map(({ state, count }) => operatorWords.recent(operatorWords.recentStates[state] ?? state, number(count)))
          .join(' · ')}
      </Text>
    </div>
  );
}
