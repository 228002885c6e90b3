import { EmptyState, Page } from '../../ui/index.ts';
import { words } from '../../words.ts';

export function TeamPage() {
  return (
    <Page title={words.team.title}>
      <EmptyState title={words.shell.soon} />
    </Page>
  );
}
