import { SimpleGrid, Text, ThemeIcon } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Coins, Images, LogOut, type LucideIcon, ShieldCheck } from 'lucide-react';
import { teamGetOptions, type TeamInfoResponse, X12Error } from '../../api/index.ts';
import { PrivateFiles } from '../../private-files/index.ts';
import { useMe } from '../../shell/index.ts';
import { ActionButton, Hint, Page, QueryState, Section } from '../../ui/index.ts';
import { RespondToInvitation } from './RespondToInvitation.tsx';
import { TeamDirectory } from './TeamDirectory.tsx';
import { TeamFacts } from './TeamFacts.tsx';
import { useMemberQuestions } from './use-member-questions.ts';
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

/** The team for its members: its figures, and their rights. */
function MemberView({ info }: { readonly info: TeamInfoResponse }) {
  const { leave, dialogs } = useMemberQuestions(info);
  return (
    <Page
      title={words.title}
      hint={words.memberOf(info.owner)}
      actions={<ActionButton icon={LogOut} label={words.leave} variant="default" onClick={leave} />}
    >
      <TeamFacts info={info} />
      <Section title={words.asMember}>
        <Text>{words.yourRights}</Text>
        <Text c="dimmed" mt={4}>
          {words.memberHint}
        </Text>
      </Section>
      <PrivateFiles />
      {dialogs}
    </Page>
  );
}

const ICONS: readonly LucideIcon[] = [Images, Coins, ShieldCheck];

/** For users without a team, and for a team whose plan no longer includes teams. */
function WithoutTeam({ reason }: { readonly reason: 'personal' | 'plan' }) {
  const { workspace, user } = useMe();
  const hint = reason === 'plan' ? words.pausedHint(workspace.plan) : words.personalHint(workspace.plan);
  return (
    <Page title={words.title}>
      <Section title={reason === 'plan' ? words.pausedTitle : words.noTeamTitle}>
        <Text c="dimmed">{hint}</Text>
        <SimpleGrid component="ul" cols={{ base: 1, sm: 3 }} spacing="lg" my="lg" p={0} style={{ listStyle: 'none' }}>
          {words.offers.map(({ title, text }, index) => (
            <Offer key={title} title={title} text={text} icon={ICONS[index]!} />
          ))}
        </SimpleGrid>
        <Text fw={560}>{words.howToGet[reason]}</Text>
      </Section>
      {reason === 'personal' && (
        <Section title={words.respondTitle}>
          <RespondToInvitation email={user.email} />
        </Section>
      )}
    </Page>
  );
}

interface OfferProps {
  readonly title: string;
  readonly text: string;
  readonly icon: LucideIcon;
}

function Offer({ title, text, icon: Icon }: OfferProps) {
  return (
    <li>
      <ThemeIcon size={40} variant="light" aria-hidden mb="xs">
        <Icon size={20} strokeWidth={1.8} />
      </ThemeIcon>
      <Text fw={600}>{title}</Text>
      <Hint>{text}</Hint>
    </li>
  );
}
