import { EmptyState, Page } from '../../ui/index.ts';
import { words } from '../../words.ts';

export function TokensPage() {
  return (
    <Page title={words.tokens.title}>
      <EmptyState title={words.shell.soon} />
    </Page>
  );
}
