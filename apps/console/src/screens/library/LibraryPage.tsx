import { ItemGrid } from '../../library/index.ts';
import { places } from '../../places.ts';
import { Page } from '../../ui/index.ts';

/** Every picture, video and model of the workspace, found again. */
export function LibraryPage() {
  return (
    <Page title={places.library} isWide>
      <ItemGrid />
    </Page>
  );
}
