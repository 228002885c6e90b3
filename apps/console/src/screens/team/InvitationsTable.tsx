import { Badge, Tooltip } from '@mantine/core';
import { MailPlus, RotateCw, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import type { InvitationDto } from '../../api/index.ts';
import { shellWords } from '../../shell/index.ts';
import { type Column, column, DataTable, EmptyState, menuColumn, useRecordDialogs, When } from '../../ui/index.ts';
import { Name, QuietName } from './names.ts';
import { useRevocation } from './team-queries.ts';
import { useMemberChanges } from './use-member-changes.ts';
import { words } from './words.ts';

const titles = words.invitationColumns;
const COLOURS = { waiting: 'yellow', sent: 'sea', refused: 'red', limited: 'red' } as const;

interface InvitationsTableProps {
  readonly invitations: readonly InvitationDto[];
  /** The button that invites. */
  readonly action: ReactNode;
}

/** The pending invitations. */
export function InvitationsTable({ invitations, action }: InvitationsTableProps) {
  const { ask, dialogs } = useRecordDialogs();
  const revoke = useRevocation();
  const { sendAgain } = useMemberChanges();
  const askToRevoke = ({ id, email }: InvitationDto) => ask(words.revocation(email), () => revoke(id));
  const itemsOf = (invitation: InvitationDto) => [
    { label: words.sendAgain, icon: RotateCw, onClick: () => sendAgain(invitation) },
    { label: words.revoke, icon: Trash2, isDangerous: true, onClick: () => askToRevoke(invitation) },
  ];
  const columns = [...COLUMNS, menuColumn(({ email }: InvitationDto) => words.actionsOf(email), itemsOf)];
  if (invitations.length === 0) {
    const { noInvitations, noInvitationsHint } = words;
    return <EmptyState icon={MailPlus} title={noInvitations} hint={noInvitationsHint} action={action} />;
  }
  return (
    <>
      <DataTable label={words.tabs.invitations} rows={invitations} columns={columns} keyOf={({ id }) => id} />
      {dialogs}
    </>
  );
}

const COLUMNS: readonly Column<InvitationDto>[] = [
  column(titles.who, 'minmax(0, 2.4fr)', ({ email }) => <Name>{email}</Name>),
  column(titles.role, '6rem', ({ role }) => shellWords.roles[role]),
  column(titles.by, 'minmax(0, 1.4fr)', ({ invited_by }) => <QuietName>{invited_by}</QuietName>),
  column(titles.mail, '7rem', ({ delivery }) => <Delivery delivery={delivery} />),
  column(titles.expires, '7rem', ({ expires_at }) => <When at={expires_at} />),
];

function Delivery({ delivery }: Pick<InvitationDto, 'delivery'>) {
  return (
    <Tooltip label={words.deliveryHint[delivery]} multiline w={260} events={{ hover: true, focus: true, touch: true }}>
      <Badge color={COLOURS[delivery]} c="var(--mantine-color-text)" tabIndex={0}>
        {words.delivery[delivery]}
      </Badge>
    </Tooltip>
  );
}
