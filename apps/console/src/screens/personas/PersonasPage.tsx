import { EmptyState, Page } from '../../ui/index.ts';
import { words } from '../../words.ts';

export function PersonasPage() {
  return (
    <Page title={words.personas.title}>
      <EmptyState title={words.shell.soon} />
    </Page>
  );
}
