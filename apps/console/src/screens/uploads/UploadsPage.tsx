import { EmptyState, Page } from '../../ui/index.ts';
import { words } from '../../words.ts';

export function UploadsPage() {
  return (
    <Page title={words.uploads.title}>
      <EmptyState title={words.shell.soon} />
    </Page>
  );
}
