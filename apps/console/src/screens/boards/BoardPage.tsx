import { EmptyState, Page } from '../../ui/index.ts';
import { words } from '../../words.ts';

export function BoardPage() {
  return (
    <Page title={words.boards.title}>
      <EmptyState title={words.shell.soon} />
    </Page>
  );
}
