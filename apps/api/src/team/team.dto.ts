import { available, daysLeftInMonth, monthOf, periodOf, usagePercentage, type Month } from '#credits';
import { FREE_PLAN, MAX_PASSWORD_LENGTH, may, MIN_PASSWORD_LENGTH, planOf, type Actor, type Plans } from '#identity';
import { ROLE_LEVELS, ROLES, type Role } from '#kernel';
import {
  ASSIGNABLE_ROLES,
  DELIVERIES,
  type AcceptedInvitation,
  type DeclinedInvitation,
  type AssignableRole,
  type Member,
  type PendingInvitation,
  type Person,
  type TeamOverview,
  type TeamUsage,
} from '#team';
import { PeriodDto, periodDto, StorageDto } from '../credits/credits.dto.ts';
import {
  BooleanField,
  ChoiceField,
  dtoOf,
  EmailField,
  IntegerField,
  ListField,
  NumberField,
  ObjectField,
  PageResponse,
  TextField,
  TimeField,
} from '../http/index.ts';

export class SendInvitationRequest {
  @EmailField('E-mail address of the user.', { example: 'ada@example.com' }) email!: string;

  @ChoiceField(ASSIGNABLE_ROLES, 'Role; `member` by default.', { example: 'member', required: false })
  role?: AssignableRole;
}

export class AddMemberRequest extends SendInvitationRequest {
  @TextField('Creates an account with this password. Without it, the account must exist, and its user must accept.', {
    example: 'correct horse battery staple',
    min: MIN_PASSWORD_LENGTH,
    max: MAX_PASSWORD_LENGTH,
    format: 'password',
    required: false,
    nullable: true,
  })
  password?: string | null;
}

export class ChangeRoleRequest {
  @TextField('`member` or `admin`.', { example: 'admin' }) role!: string;
}

export class TransferOwnershipRequest {
  @IntegerField('The member who becomes the owner.', { example: 8, min: 1 }) user_id!: number;
}

export class ReadInvitationRequest {
  // Far longer than any token: all invalid tokens get the same error, `invalid_invitation`.
  @TextField('Token from the mail.', { example: 'x12_kL9v3cYpQ0mTz7wXb2sRj5uNf8hDg1aEoVi4yWqBxZM', max: 100_000 })
  token!: string;
}

export class RespondInvitationRequest extends ReadInvitationRequest {
  @ChoiceField(['accept', 'decline'], 'Whether to accept or decline.', { example: 'accept' }) act!:
    | 'accept'
    | 'decline';
}

export class MemberDto {
  @IntegerField('The same as `user_id`.', { example: 7 }) id!: number;
  @IntegerField('Identifier of the user.', { example: 7 }) user_id!: number;
  @TextField('E-mail address, in lower case.', { example: 'ada@example.com' }) email!: string;
  @TextField('Name, if the user gave one; null for a pending addition.', { example: 'Ada', nullable: true })
  name!: string | null;

  @ChoiceField(ROLES, 'Role in the team.', { example: 'member' }) role!: Role;
  @IntegerField('Level of the role: owner 99, admin 2, member 1.', { example: 1 }) level!: number;
  @TimeField('When the user joined; null for a pending addition.', { nullable: true }) joined_at!: Date | null;

  @TextField('E-mail address of the user who added or invited them; null for the first owner.', {
    example: 'grace@example.com',
    nullable: true,
  })
  added_by!: string | null;

  @BooleanField('False for a pending addition, and until the user has signed up, logged in or been given a token.', {
    example: true,
  })
  is_confirmed!: boolean;
}

export function memberDto(member: Member): MemberDto {
  return dtoOf(MemberDto, { ...member, id: member.userId, level: ROLE_LEVELS[member.role] });
}

export class MembersResponse extends PageResponse {
  @ListField(() => MemberDto, 'Members, newest accounts first; empty for a plain member.') members!: MemberDto[];
}

export class MemberResponse {
  @ObjectField(() => MemberDto, 'The member.') member!: MemberDto;
}

export class AddedMemberResponse extends MemberResponse {
  @BooleanField('Whether an account was created for the member.', { example: false }) created_user!: boolean;
}

export class RemovedMemberResponse {
  @BooleanField('Whether the caller removed themselves.', { example: false }) remove_self!: boolean;
}

export class InvitationDto {
  @IntegerField('Identifier, by which it is revoked.', { example: 4 }) id!: number;
  @TextField('The invited e-mail address, in lower case.', { example: 'ada@example.com' }) email!: string;
  @ChoiceField(ASSIGNABLE_ROLES, 'Role in the team.', { example: 'member' }) role!: AssignableRole;
  @TextField('E-mail address of the inviting user.', { example: 'grace@example.com' }) invited_by!: string;

  @ChoiceField(
    DELIVERIES,
    'Whether the mail was sent; `refused` when no server accepts mail for this address, `limited` when none is sent: an ' +
      'address gets three invitations an hour, a workspace sends a hundred.',
    { example: 'sent' },
  )
  delivery!: PendingInvitation['delivery'];

  @TimeField('When it was created.') created_at!: Date;
  @TimeField('When it expires.') expires_at!: Date;
}

export function invitationDto(invitation: PendingInvitation): InvitationDto {
  return dtoOf(InvitationDto, { ...invitation, invitedBy: invitation.inviter.email });
}

export class SentInvitationResponse {
  @ObjectField(() => InvitationDto, 'The invitation. Its token is sent only by mail.') invitation!: InvitationDto;
}

export class PendingInvitationsResponse extends PageResponse {
  @ListField(() => InvitationDto, 'Pending invitations, newest first.') invitations!: InvitationDto[];
}

export class PersonDto {
  @TextField('Name, if the user gave one.', { example: 'Grace', nullable: true }) name!: string | null;
  @TextField('E-mail address, in lower case.', { example: 'grace@example.com' }) email!: string;
}

function personDto({ name, email }: Person): PersonDto {
  return { name, email };
}

export class OwnedTeamDto {
  @IntegerField("Identifier of the team's workspace.", { example: 12 }) id!: number;
  @ObjectField(() => PersonDto, 'Its owner.') owner!: PersonDto;
}

export class ReceivedInvitationDto {
  @TextField('The invited e-mail address, in lower case.', { example: 'ada@example.com' }) email!: string;
  @ChoiceField(ASSIGNABLE_ROLES, 'Role in the team.', { example: 'member' }) role!: AssignableRole;
  @ObjectField(() => PersonDto, 'The inviting user.') invited_by!: PersonDto;
  @ObjectField(() => OwnedTeamDto, 'The inviting team.') team!: OwnedTeamDto;
  @TimeField('When it expires.') expires_at!: Date;
}

export class ReceivedInvitationResponse {
  @ObjectField(() => ReceivedInvitationDto, 'The invitation.') invitation!: ReceivedInvitationDto;
}

export function receivedInvitationResponse(pending: PendingInvitation): ReceivedInvitationResponse {
  const { email, role, inviter, workspaceId, owner, expiresAt } = pending;
  const team = { id: workspaceId, owner: personDto(owner) };
  return { invitation: { email, role, invited_by: personDto(inviter), team, expires_at: expiresAt } };
}

export class InvitingTeamDto {
  @IntegerField("Identifier of the team's workspace.", { example: 12 }) id!: number;
  @TextField('E-mail address of its owner.', { example: 'grace@example.com' }) owner!: string;
}

export class AnsweredInvitationResponse {
  @ChoiceField(['accepted', 'declined'], 'State of the invitation.', { example: 'accepted' })
  state!: (AcceptedInvitation | DeclinedInvitation)['state'];

  @ObjectField(() => InvitingTeamDto, 'The inviting team.') team!: InvitingTeamDto;
}

export function answeredInvitationResponse(ended: AcceptedInvitation | DeclinedInvitation): AnsweredInvitationResponse {
  return { state: ended.state, team: { id: ended.workspaceId, owner: ended.owner.email } };
}

export class TeamCreditsDto {
  @TextField('Identifier of the plan.', { example: 'enterprise' }) plan!: string;
  @IntegerField('Credits of this calendar month, UTC.', { example: 20_000 }) monthly_allocation!: number;
  @IntegerField('Credits of it that are reserved or charged.', { example: 1250 }) used_this_month!: number;
  @IntegerField('Credits of it that are left.', { example: 18_750 }) remaining!: number;
  @NumberField('0 to 100, with at most two decimals.', { example: 6.25, min: 0, max: 100 }) usage_percentage!: number;
  @IntegerField('Days until the end of the month, including today.', { example: 10 }) days_left_in_month!: number;
}

/** A team as one of its members sees it now. */
export interface TeamReading {
  readonly actor: Actor;
  readonly overview: TeamOverview;
  readonly plans: Plans;
  readonly now: Date;
}

function teamCreditsDto({ actor: { plan }, overview, plans, now }: TeamReading): TeamCreditsDto {
  const allocation = planOf(plans, plan).monthlyCredits + overview.granted;
  const balance = { allocation, used: overview.used };
  return {
    plan,
    monthly_allocation: allocation,
    used_this_month: overview.used,
    remaining: available(balance),
    usage_percentage: usagePercentage(balance),
    days_left_in_month: daysLeftInMonth(now),
  };
}

export class TeamInfoResponse {
  @BooleanField('False for a personal workspace on a team plan.', { example: true }) is_team!: boolean;
  @TextField('Identifier of the plan.', { example: 'enterprise' }) plan!: string;
  @ObjectField(() => TeamCreditsDto, 'Credits of this month.') credits!: TeamCreditsDto;
  @IntegerField('Number of members, including the owner.', { example: 3 }) members_count!: number;
  @BooleanField('Whether the caller may add and invite members.', { example: true }) can_add_members!: boolean;
  @TextField('E-mail address of the owner.', { example: 'grace@example.com' }) owner!: string;
  @ChoiceField(ROLES, "The caller's role.", { example: 'admin' }) user_level!: Role;
  @IntegerField("The caller's identifier.", { example: 7 }) user_id!: number;
}

export function teamInfoResponse(reading: TeamReading): TeamInfoResponse {
  const { actor, overview } = reading;
  return {
    is_team: actor.isTeam,
    plan: actor.plan,
    credits: teamCreditsDto(reading),
    members_count: overview.membersCount,
    can_add_members: actor.isTeam && may('team.add_member', actor),
    owner: overview.owner,
    user_level: actor.role,
    user_id: actor.userId,
  };
}

export class SubscriptionDto {
  @TextField('Identifier of the plan.', { example: 'enterprise' }) plan!: string;
  @TimeField('Start of the current month.', { example: '2026-11-01T00:00:00.000Z' }) period_start_at!: Date;
  @TimeField('Start of the next month.', { example: '2026-12-01T00:00:00.000Z' }) period_end_at!: Date;
}

export class TeamCreditsResponse {
  @TextField('Identifier of the plan.', { example: 'enterprise' }) plan!: string;
  @ObjectField(() => TeamCreditsDto, 'Credits of this month.') credits!: TeamCreditsDto;

  @ObjectField(() => SubscriptionDto, 'Subscription of the team; null on `free`.', { nullable: true })
  subscription!: SubscriptionDto | null;
}

export function teamCreditsResponse(reading: TeamReading): TeamCreditsResponse {
  const { plan } = reading.actor;
  const { startAt, endAt } = periodOf(monthOf(reading.now));
  return {
    plan,
    credits: teamCreditsDto(reading),
    subscription: plan === FREE_PLAN ? null : { plan, period_start_at: startAt, period_end_at: endAt },
  };
}

export class MemberUsageDto {
  @IntegerField('Identifier of the user.', { example: 7 }) user_id!: number;
  @TextField('E-mail address; null for a user whose account was deleted.', {
    example: 'ada@example.com',
    nullable: true,
  })
  email!: string | null;

  @ChoiceField(ROLES, 'Role; null for a user who has left.', { example: 'member', nullable: true }) role!: Role | null;
  @IntegerField('Credits reserved or charged.', { example: 420 }) used!: number;
  @IntegerField('Number of generations that used them.', { example: 105 }) generations!: number;
}

export class TeamUsageResponse {
  @ObjectField(() => PeriodDto, 'The calendar month, UTC.') period!: PeriodDto;
  @IntegerField('Credits of the whole team, reserved or charged.', { example: 1250 }) total_used!: number;

  @ListField(
    () => MemberUsageDto,
    'Most credits first, including users who have left. A plain member gets only their own entry.',
  )
  members!: MemberUsageDto[];

  @ObjectField(() => StorageDto, 'Storage of the team, now.') storage!: StorageDto;
}

export function teamUsageResponse(
  month: Month,
  { totalUsed, members }: TeamUsage,
  storage: StorageDto,
): TeamUsageResponse {
  return {
    period: periodDto(month),
    total_used: totalUsed,
    members: members.map(({ userId, ...usage }) => ({ user_id: userId, ...usage })),
    storage,
  };
}
