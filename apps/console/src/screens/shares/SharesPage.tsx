import { places } from '../../places.ts';
import { ShareList, sharingWords, useShares } from '../../sharing/index.ts';
import { Page } from '../../ui/index.ts';

/** The links of the workspace, newest first. */
export function SharesPage() {
  return (
    <Page title={places.shares} hint={sharingWords.pageHint}>
      <ShareList {...useShares()} isWhole />
    </Page>
  );
}
