import { type Role, ROLE_LEVELS, ROLES } from '#kernel';
import type { Member } from '#team';
import { BooleanField, ChoiceField, IntegerField, TextField, TimeField } from '../http/index.ts';

export class MemberView {
  @IntegerField({ description: 'The same as `user_id`.', example: 7 })
  id!: number;

  @IntegerField({ description: 'Identifier of the user.', example: 7 })
  user_id!: number;

  @TextField({ description: 'E-mail address, in lower case.', example: 'ada@example.com' })
  email!: string;

  @TextField({ description: 'Name, if they gave one.', example: 'Ada', nullable: true })
  name!: string | null;

  @ChoiceField(ROLES, { description: 'Role in the team.', example: 'member' })
  role!: Role;

  @IntegerField({ description: 'Level of the role: owner 99, admin 2, member 1.', example: 1 })
  level!: number;

  @TimeField({ description: 'When they joined.' })
  joined_at!: Date;

  @TextField({
    description: 'E-mail address of who added or invited them; null for who opened the team.',
    example: 'grace@example.com',
    nullable: true,
  })
  added_by!: string | null;

  @BooleanField({
    description: 'False until they have taken up their account, by signing up or logging in once.',
    example: true,
  })
  is_confirmed!: boolean;
}

export function memberView(member: Member): MemberView {
  return {
    id: member.userId,
    user_id: member.userId,
    email: member.email,
    name: member.name,
    role: member.role,
    level: ROLE_LEVELS[member.role],
    joined_at: member.joinedAt,
    added_by: member.addedBy,
    is_confirmed: member.isConfirmed,
  };
}
