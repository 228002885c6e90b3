import { ASSIGNABLE_ROLES, type AssignableRole } from '#team';
import { ChoiceField, EmailField, TextField } from '../http/index.ts';

export class SendInvitationForm {
  @EmailField({
    description: 'Whom to invite; nobody may have an account with it.',
    example: 'ada@example.com',
  })
  email!: string;

  @ChoiceField(ASSIGNABLE_ROLES, {
    description: 'Role that they get; `member` where it is left out.',
    example: 'member',
    required: false,
  })
  role?: AssignableRole;
}

export class RespondInvitationForm {
  @TextField({
    description: 'Token from the mail.',
    example: 'x12_kL9v3cYpQ0mTz7wXb2sRj5uNf8hDg1aEoVi4yWqBxZM',
  })
  token!: string;

  @ChoiceField(['accept', 'decline'], { description: 'The answer.', example: 'accept' })
  act!: 'accept' | 'decline';
}
