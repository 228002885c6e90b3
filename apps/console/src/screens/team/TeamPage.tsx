import { useQuery } from '@tanstack/react-query';
import { teamGetOptions, X12Error } from '../../api/index.ts';
import { useMe } from '../../shell/index.ts';
import { Page, QueryState } from '../../ui/index.ts';
import { MemberView } from './MemberView.tsx';
import { TeamDirectory } from './TeamDirectory.tsx';
import { WithoutTeam } from './WithoutTeam.tsx';
import { words } from './words.ts';

/** The team, as its managers, its members or users without a team see it. */
export function TeamPage() {
  return useMe().workspace.is_team ? <Team /> : <WithoutTeam reason="personal" />;
}

function Team() {
  const info = useQuery(teamGetOptions());
  if (info.error instanceof X12Error && info.error.code === 'plan_required') return <WithoutTeam reason="plan" />;
  if (info.data?.user_level === 'member') return <MemberView info={info.data} />;
  if (info.data) return <TeamDirectory info={info.data} />;
  return (
    <Page title={words.title}>
      <QueryState query={info} rows={6} />
    </Page>
  );
}
