import { EmptyState, Page } from '../../ui/index.ts';
import { words } from '../../words.ts';

export function HomePage() {
  return (
    <Page title={words.home.title}>
      <EmptyState title={words.shell.soon} />
    </Page>
  );
}
