import { type Role, ROLES } from '#kernel';
import type { Actor, User } from '#identity';
import { BooleanField, ChoiceField, IntegerField, ObjectField, TextField } from '../http/index.ts';
import { UserView, userView } from './user-view.ts';

export class WorkspaceView {
  @IntegerField({ description: 'Identifier of the workspace.', example: 7 })
  id!: number;

  @TextField({ description: 'Identifier of its plan.', example: 'free' })
  plan!: string;

  @BooleanField({ description: "True for a team, false for the user's own workspace.", example: false })
  is_team!: boolean;
}

export class MeAnswer {
  @ObjectField(() => UserView, { description: 'Whose token it is.' })
  user!: UserView;

  @ObjectField(() => WorkspaceView, { description: 'Where they act: their team, else their own workspace.' })
  workspace!: WorkspaceView;

  @ChoiceField(ROLES, { description: 'Their role there.', example: 'owner' })
  role!: Role;
}

export function meAnswer(user: User, { workspaceId, plan, isTeam, role }: Actor): MeAnswer {
  return { user: userView(user), workspace: { id: workspaceId, plan, is_team: isTeam }, role };
}
