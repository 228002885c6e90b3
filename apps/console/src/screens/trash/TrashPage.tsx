import { LockKeyhole } from 'lucide-react';
import { useRole } from '../../shell/index.ts';
import { EmptyState, Page, Section } from '../../ui/index.ts';
import { TrashList } from './TrashList.tsx';
import { words } from './words.ts';

/** The deleted items of the workspace, for admins and the owner. */
export function TrashPage() {
  const isAdmin = useRole('admin');
  const { title, hint, adminsOnly, adminsOnlyHint } = words;
  return (
    <Page title={title} hint={hint}>
      <Section>
        {isAdmin ? <TrashList /> : <EmptyState icon={LockKeyhole} title={adminsOnly} hint={adminsOnlyHint} />}
      </Section>
    </Page>
  );
}
