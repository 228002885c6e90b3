import { ItemGrid } from '../../library/index.ts';
import { Page } from '../../ui/index.ts';
import { words } from '../../words.ts';

/** Every picture, video and model of the workspace, found again. */
export function LibraryPage() {
  return (
    <Page title={words.library.title}>
      <ItemGrid />
    </Page>
  );
}
