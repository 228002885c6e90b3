import { LockKeyhole } from 'lucide-react';
import { useRole } from '../../shell/index.ts';
import { EmptyState, Page, Section } from '../../ui/index.ts';
import { words } from '../../words.ts';
import { TrashList } from './TrashList.tsx';

/** What was deleted in the workspace, for those who may restore it. */
export function TrashPage() {
  const isAdmin = useRole('admin');
  const { title, hint, adminsOnly, adminsOnlyHint } = words.trash;
  return (
    <Page title={title} hint={hint}>
      <Section>
        {isAdmin ? <TrashList /> : <EmptyState icon={LockKeyhole} title={adminsOnly} hint={adminsOnlyHint} />}
      </Section>
    </Page>
  );
}
