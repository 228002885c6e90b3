import { EmptyState, Page } from '../../ui/index.ts';
import { words } from '../../words.ts';

export function OperatorPage() {
  return (
    <Page title={words.operator.title}>
      <EmptyState title={words.shell.soon} />
    </Page>
  );
}
