import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '#identity';
import { ASSIGNABLE_ROLES, type AssignableRole } from '#team';
import { ChoiceField, EmailField, IntegerField, TextField } from '../http/index.ts';

export class AddMemberForm {
  @EmailField({ description: 'Whom to add.', example: 'ada@example.com' })
  email!: string;

  @ChoiceField(ASSIGNABLE_ROLES, {
    description: 'Role in the team; `member` where it is left out.',
    example: 'member',
    required: false,
  })
  role?: AssignableRole;

  @TextField({
    description: 'With it, a new account is opened; without it, the account must exist.',
    example: 'correct horse battery staple',
    min: MIN_PASSWORD_LENGTH,
    max: MAX_PASSWORD_LENGTH,
    format: 'password',
    required: false,
    nullable: true,
  })
  password?: string | null;
}

export class ChangeRoleForm {
  @TextField({ description: '`member` or `admin`.', example: 'admin' })
  role!: string;
}

export class TransferOwnershipForm {
  @IntegerField({ description: 'The member who becomes the owner.', example: 8, min: 1 })
  user_id!: number;
}
