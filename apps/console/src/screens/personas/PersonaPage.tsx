import { EmptyState, Page } from '../../ui/index.ts';
import { words } from '../../words.ts';

export function PersonaPage() {
  return (
    <Page title={words.personas.title}>
      <EmptyState title={words.shell.soon} />
    </Page>
  );
}
