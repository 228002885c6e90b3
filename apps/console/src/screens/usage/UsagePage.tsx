import { EmptyState, Page } from '../../ui/index.ts';
import { words } from '../../words.ts';

export function UsagePage() {
  return (
    <Page title={words.usage.title}>
      <EmptyState title={words.shell.soon} />
    </Page>
  );
}
