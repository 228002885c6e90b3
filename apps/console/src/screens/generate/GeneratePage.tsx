import { EmptyState, Page } from '../../ui/index.ts';
import { words } from '../../words.ts';

export function GeneratePage() {
  return (
    <Page title={words.generate.title}>
      <EmptyState title={words.shell.soon} />
    </Page>
  );
}
