import { ASSIGNABLE_ROLES, type AssignableRole, type Invitation } from '#team';
import { ChoiceField, IntegerField, TextField, TimeField } from '../http/index.ts';

const DELIVERIES = ['waiting', 'sent', 'refused'] as const satisfies readonly Invitation['delivery'][];

export class InvitationView {
  @IntegerField({ description: 'Identifier, by which it is revoked.', example: 4 })
  id!: number;

  @TextField({ description: 'E-mail address that is invited, in lower case.', example: 'ada@example.com' })
  email!: string;

  @ChoiceField(ASSIGNABLE_ROLES, { description: 'Role that they get.', example: 'member' })
  role!: AssignableRole;

  @TextField({ description: 'E-mail address of who invited them.', example: 'grace@example.com' })
  invited_by!: string;

  @ChoiceField(DELIVERIES, {
    description: 'Whether the mail is out: refused means that no server will take it for this address.',
    example: 'sent',
  })
  delivery!: Invitation['delivery'];

  @TimeField({ description: 'When they were invited.' })
  created_at!: Date;

  @TimeField({ description: 'Until when they may answer.' })
  expires_at!: Date;
}

export function invitationView(invitation: Invitation): InvitationView {
  return {
    id: invitation.id,
    email: invitation.email,
    role: invitation.role,
    invited_by: invitation.invitedBy,
    delivery: invitation.delivery,
    created_at: invitation.createdAt,
    expires_at: invitation.expiresAt,
  };
}
