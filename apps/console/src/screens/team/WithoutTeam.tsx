import { SimpleGrid, Text, ThemeIcon } from '@mantine/core';
import { Coins, Images, type LucideIcon, ShieldCheck } from 'lucide-react';
import { useMe } from '../../shell/index.ts';
import { Hint, Page, Section } from '../../ui/index.ts';
import { RespondToInvitation } from './RespondToInvitation.tsx';
import { words } from './words.ts';

const ICONS: readonly LucideIcon[] = [Images, Coins, ShieldCheck];

/** For users without a team, and for a team whose plan no longer includes teams. */
export function WithoutTeam({ reason }: { readonly reason: 'personal' | 'plan' }) {
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

function Offer({
  title,
  text,
  icon: Icon,
}: {
  readonly title: string;
  readonly text: string;
  readonly icon: LucideIcon;
}) {
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
