import { type DirectoryUser, type DirectoryWorkspace, MAX_NAME_LENGTH } from '#identity';
import { type Role, ROLES } from '#kernel';
import { CreditsDto } from '../credits/credits.dto.ts';
import {
  BooleanField,
  ChoiceField,
  dtoOf,
  EmailField,
  IntegerField,
  ListField,
  ObjectField,
  PageResponse,
  SearchQuery,
  TextField,
  TimeField,
} from '../http/index.ts';

const MAX_EXTERNAL_ID = 255;
const EXTERNAL_ID = 'Its identifier in your application; null if there is none.';
const REPEATABLE =
  'Its identifier in your application. A second request with the same one creates nothing, and returns what it names with 200.';

export class UserWorkspaceDto {
  @IntegerField('Identifier.', { example: 3 }) id!: number;
  @TextField('Its plan.', { example: 'pro' }) plan!: string;
  @BooleanField('Whether it is a team.', { example: false }) is_team!: boolean;
}

export class DirectoryUserDto {
  @IntegerField('Identifier.', { example: 7 }) id!: number;
  @TextField('E-mail.', { example: 'ada@example.com' }) email!: string;
  @TextField('Name; null if the user gave none.', { nullable: true, example: 'Ada' }) name!: string | null;
  @TimeField('When the account was opened.') created_at!: Date;
  @ObjectField(() => UserWorkspaceDto, 'The workspace in which the user acts.') workspace!: UserWorkspaceDto;
  @ChoiceField(ROLES, 'Role of the user in this workspace.', { example: 'owner' }) role!: Role;
  @BooleanField('Whether the user may operate the service.', { example: false }) is_operator!: boolean;
  @TextField(EXTERNAL_ID, { nullable: true, example: 'customer-17' }) external_id!: string | null;
}

export class UsersQuery extends SearchQuery {
  @TextField('Only the user with this `external_id`.', { max: MAX_EXTERNAL_ID, required: false })
  external_id?: string;
}

export class CreateUserRequest {
  @EmailField('E-mail address.', { example: 'ada@example.com' }) email!: string;
  @TextField('Name.', { example: 'Ada', max: MAX_NAME_LENGTH, required: false, nullable: true }) name?: string | null;
  @TextField(REPEATABLE, { example: 'customer-17', max: MAX_EXTERNAL_ID, required: false, nullable: true })
  external_id?: string | null;
}

/** Absent fields stay as they are. */
export class UpdateUserRequest {
  @BooleanField('Whether the user may operate the service. A machine token cannot change it.', {
    example: true,
    required: false,
  })
  is_operator?: boolean;

  @TextField('Name; null removes it.', { example: 'Ada', max: MAX_NAME_LENGTH, required: false, nullable: true })
  name?: string | null;

  @TextField(EXTERNAL_ID, { example: 'customer-17', max: MAX_EXTERNAL_ID, required: false, nullable: true })
  external_id?: string | null;
}

export class ProvisionedUserResponse {
  @ObjectField(() => DirectoryUserDto, 'The user.') user!: DirectoryUserDto;
}

export class UsersResponse extends PageResponse {
  @ListField(() => DirectoryUserDto, 'Users, newest first.') users!: DirectoryUserDto[];
}

export function userDto(user: DirectoryUser): DirectoryUserDto {
  const { id, email, name, createdAt, workspaceId, plan, isTeam, role, isOperator, externalId } = user;
  const workspace = { id: workspaceId, plan, is_team: isTeam };
  return { id, email, name, created_at: createdAt, workspace, role, is_operator: isOperator, external_id: externalId };
}

export class OperatorWorkspaceDto {
  @IntegerField('Identifier.', { example: 12 }) id!: number;
  @TextField('Name; null if operators have given none.', { example: 'Acme', nullable: true })
  name!: string | null;

  @TextField(EXTERNAL_ID, { example: 'customer-17', nullable: true }) external_id!: string | null;
  @TextField('Its plan.', { example: 'enterprise' }) plan!: string;
  @BooleanField('True for a workspace that several users may share, false for the personal one of a user.', {
    example: true,
  })
  is_team!: boolean;

  @BooleanField('Whether it is suspended: it can be read, and nothing starts or changes.', { example: false })
  suspended!: boolean;

  @IntegerField('The user who owns it.', { example: 7 }) owner_id!: number;
  @EmailField("The owner's e-mail; null for a service account, which nobody can sign in to.", {
    example: 'ada@example.com',
    nullable: true,
  })
  owner_email!: string | null;

  @IntegerField('Number of its members, the owner included.', { example: 3 }) members_count!: number;
  @TimeField('When it was opened.') created_at!: Date;
}

export function workspaceDto(workspace: DirectoryWorkspace): OperatorWorkspaceDto {
  const { isSuspended, owner, members, ...facts } = workspace;
  return dtoOf(OperatorWorkspaceDto, { ...facts, suspended: isSuspended, ownerEmail: owner, membersCount: members });
}

export class WorkspacesQuery {
  @TextField('Only the workspace with this `external_id`.', { max: MAX_EXTERNAL_ID, required: false })
  external_id?: string;

  @TextField('Only workspaces on this plan.', { example: 'enterprise', max: 100, required: false }) plan?: string;
}

export class WorkspacesResponse extends PageResponse {
  @ListField(() => OperatorWorkspaceDto, 'Workspaces, newest first.') workspaces!: OperatorWorkspaceDto[];
}

export class OperatorWorkspaceResponse {
  @ObjectField(() => OperatorWorkspaceDto, 'The workspace.') workspace!: OperatorWorkspaceDto;
}

export class CreateWorkspaceRequest {
  @TextField('Name.', { example: 'Acme', max: MAX_NAME_LENGTH }) name!: string;
  @TextField('Its plan. It may be one without teams.', { example: 'pro', max: 100 }) plan!: string;
  @EmailField(
    'E-mail of the owner, whose account is opened if there is none. Default: a service account owns it, as which its ' +
      'tokens act and which nobody can sign in to.',
    { example: 'ada@example.com', required: false, nullable: true },
  )
  email?: string | null;

  @TextField(REPEATABLE, { example: 'customer-17', max: MAX_EXTERNAL_ID, required: false, nullable: true })
  external_id?: string | null;
}

/** Absent fields stay as they are. */
export class UpdateWorkspaceRequest {
  @TextField('Name.', { example: 'Acme', max: MAX_NAME_LENGTH, required: false }) name?: string;
  @TextField('Its plan.', { example: 'pro', max: 100, required: false }) plan?: string;
  @BooleanField('Whether it is suspended. The response comes when nothing new can be accepted any more.', {
    example: true,
    required: false,
  })
  suspended?: boolean;
}

export class GrantCreditsRequest {
  @IntegerField('Credits, 1 or more.', { example: 500, min: 1 }) amount!: number;
  @TextField('Why, for the ledger.', { example: 'order 4711', max: 500 }) reason!: string;
  @TextField('Grants to a workspace with the same key add credits once, at any time.', {
    example: 'order-4711',
    max: 255,
    required: false,
  })
  key?: string;
}

export class GrantedCreditsResponse {
  @ObjectField(() => CreditsDto, 'Credits of the workspace in this calendar month, UTC.') credits!: CreditsDto;
}
