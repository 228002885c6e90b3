import { EmptyState, Page } from '../../ui/index.ts';
import { words } from '../../words.ts';

export function HistoryPage() {
  return (
    <Page title={words.history.title}>
      <EmptyState title={words.shell.soon} />
    </Page>
  );
}
