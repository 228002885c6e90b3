import { Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { LogOut } from 'lucide-react';
import type { TeamInfoResponse } from '../../api/index.ts';
import { ActionButton, Page, Section } from '../../ui/index.ts';
import { TeamFacts } from './TeamFacts.tsx';
import { LeaveDialog } from './LeaveDialog.tsx';
import { words } from './words.ts';

/** The team for its members: its figures, and their rights. */
export function MemberView({ info }: { readonly info: TeamInfoResponse }) {
  const [isLeaving, leaving] = useDisclosure(false);
  return (
    <Page
      title={words.title}
      hint={words.memberOf(info.owner)}
      actions={<ActionButton icon={LogOut} label={words.leave} variant="default" onClick={leaving.open} />}
    >
      <TeamFacts info={info} />
      <Section title={words.asMember}>
        <Text>{words.yourRights}</Text>
        <Text c="dimmed" mt={4}>
          {words.memberHint}
        </Text>
      </Section>
      <LeaveDialog info={info} opened={isLeaving} onClose={leaving.close} />
    </Page>
  );
}
