import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { LogOut } from 'lucide-react';
import type { TeamInfoResponse } from '../../api/index.ts';
import { Page, Section } from '../../ui/index.ts';
import { words } from '../../words.ts';
import { TeamFacts } from './TeamFacts.tsx';
import { LeaveDialog } from './LeaveDialog.tsx';

/** The team for its members: its figures, and their rights. */
export function MemberView({ info }: { readonly info: TeamInfoResponse }) {
  const [isLeaving, leaving] = useDisclosure(false);
  return (
    <Page
      title={words.team.title}
      hint={words.team.memberOf(info.owner)}
      actions={
        <Button variant="default" leftSection={<LogOut size={16} aria-hidden />} onClick={leaving.open}>
          {words.team.leave}
        </Button>
      }
    >
      <TeamFacts info={info} />
      <Section title={words.team.asMember}>
        <Text>{words.team.yourRights}</Text>
        <Text c="dimmed" mt={4}>
          {words.team.memberHint}
        </Text>
      </Section>
      <LeaveDialog info={info} opened={isLeaving} onClose={leaving.close} />
    </Page>
  );
}
