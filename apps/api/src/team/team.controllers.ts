import { Controller, Delete, Get, Inject, Module, Put } from '@nestjs/common';
import { monthOf } from '#credits';
import type { StorageSpace } from '#files';
import { may, type Actor, type Plans } from '#identity';
import type { Clock, PageRequest } from '#kernel';
import { Invitations, Members, type InvitationStore, type MemberStore, type TeamViews } from '#team';
import {
  clock,
  FilesModule,
  IdentityModule,
  invitationStore,
  memberStore,
  plans,
  storageSpace,
  TeamModule,
  teamViews,
} from '#wiring';
import {
  CurrentActor,
  ExistenceChecks,
  Existing,
  LimitFailures,
  listOf,
  May,
  PageQuery,
  PathId,
  Post,
  Public,
  RequestBody,
  RequestQuery,
  Responds,
} from '../http/index.ts';
import {
  AddedMemberResponse,
  AddMemberRequest,
  AnsweredInvitationResponse,
  answeredInvitationResponse,
  ChangeRoleRequest,
  invitationDto,
  memberDto,
  MemberResponse,
  MembersResponse,
  PendingInvitationsResponse,
  ReadInvitationRequest,
  ReceivedInvitationResponse,
  receivedInvitationResponse,
  RemovedMemberResponse,
  RespondInvitationRequest,
  SendInvitationRequest,
  SentInvitationResponse,
  TeamCreditsResponse,
  teamCreditsResponse,
  TeamInfoResponse,
  teamInfoResponse,
  TeamUsageResponse,
  teamUsageResponse,
  TransferOwnershipRequest,
  type TeamReading,
} from './team.dto.ts';
import { MonthQuery, monthOfQuery } from '../credits/credits.dto.ts';

@Controller('v2/team')
export class TeamController {
  constructor(
    @Inject(teamViews) private readonly views: TeamViews,
    @Inject(Members) private readonly members: Members,
    @Inject(plans) private readonly plans: Plans,
    @Inject(storageSpace) private readonly space: StorageSpace,
    @Inject(clock) private readonly clock: Clock,
  ) {}

  @Get('info')
  @May('team.read')
  @Responds(200, TeamInfoResponse, {
    id: 'team.get',
    summary: "Read the caller's team and their role",
    description:
      "Reads the team in which the caller acts. Returns its plan, owner, size and credits, and the caller's role.",
  })
  async getInfo(@CurrentActor() actor: Actor) {
    return teamInfoResponse(await this.#read(actor));
  }

  @Get('credits')
  @May('team.read')
  @Responds(200, TeamCreditsResponse, {
    id: 'team.credits.get',
    summary: "Read the team's balance and subscription",
    description:
      'Reads the credits of the team in this month. Returns the balance, and the subscription with its period.',
  })
  async getCredits(@CurrentActor() actor: Actor) {
    return teamCreditsResponse(await this.#read(actor));
  }

  @Get('usage')
  @May('team.read')
  @Responds(200, TeamUsageResponse, {
    id: 'team.usage.get',
    summary: 'Read the credits that each member used in a month, and the storage',
    description:
      'Adds up what each member used in a month. Returns the credits and generations of each member, and the ' +
      'storage of the team. A plain member gets only their own entry.',
  })
  async getUsage(@CurrentActor() actor: Actor, @RequestQuery() query: MonthQuery) {
    const month = monthOfQuery(query, this.clock.now());
    const onlyUserId = may('team.read_usage_of_others', actor) ? null : actor.userId;
    const [usage, storage] = await Promise.all([
      this.views.usage(actor.workspaceId, month, onlyUserId),
      this.space.of(actor.workspaceId),
    ]);
    return teamUsageResponse(month, usage, storage);
  }

  @Post('transfer_ownership')
  @May('team.transfer_ownership')
  @Responds(200, MemberResponse, {
    id: 'team.ownership.transfer',
    summary: 'Make another member the owner',
    description:
      'Makes another member the owner of the team. Returns the new owner. Only for the owner, who becomes an ' +
      'admin.',
    errors: ['not_found', 'invalid_role_change'],
  })
  async postOwnership(@CurrentActor() actor: Actor, @RequestBody() body: TransferOwnershipRequest) {
    return { member: memberDto(await this.members.transferOwnership(actor, body.user_id)) };
  }

  async #read(actor: Actor): Promise<TeamReading> {
    const now = this.clock.now();
    const overview = await this.views.overview(actor.workspaceId, monthOf(now));
    return { actor, overview, plans: this.plans, now };
  }
}

@Controller('v2/team/members')
export class MembersController {
  constructor(
    @Inject(Members) private readonly members: Members,
    @Inject(teamViews) private readonly views: TeamViews,
    @Inject(clock) private readonly clock: Clock,
  ) {}

  @Get()
  @May('team.read')
  @Responds(200, MembersResponse, {
    id: 'team.members.list',
    summary: 'List members',
    description:
      'Lists the members of the team, newest first. Returns each member with the role and the time of joining. ' +
      'Includes pending additions, whose `is_confirmed` is false and `joined_at` null. Only for admins and the ' +
      'owner: for a plain member the list is empty.',
  })
  async getMembers(@CurrentActor() actor: Actor, @PageQuery({ whole: true }) page: PageRequest) {
    if (!may('team.read_members', actor)) return { members: [], next_cursor: null };
    return listOf('members', await this.views.members(actor.workspaceId, this.clock.now(), page), memberDto);
  }

  @Post()
  @May('team.add_member')
  @Responds(201, AddedMemberResponse, {
    id: 'team.members.add',
    summary: 'Add a member',
    description:
      'Adds a user to the team. Returns the member, and whether an account was created. With `password`, creates ' +
      'an account that acts in the team at once. Without it, the account must exist, and its user must accept by ' +
      '`respond_invitation` with the mailed token: until then the addition is pending, is listed among the ' +
      'invitations too, and expires after 7 days. A pending invitation of the address is revoked.',
    errors: ['not_found', 'user_exists', 'already_member', 'in_other_team', 'conflict'],
  })
  async postMember(
    @CurrentActor() actor: Actor,
    @RequestBody() { email, role = 'member', password = null }: AddMemberRequest,
  ) {
    const { member, createdUser } = await this.members.add(actor, { email, role, password });
    return { member: memberDto(member), created_user: createdUser };
  }

  @Delete(':user_id')
  @May('team.leave')
  @Existing('member', 'user_id')
  @Responds(200, RemovedMemberResponse, {
    id: 'team.members.remove',
    summary: 'Remove a member or a pending addition, or leave',
    description:
      'Ends a membership or a pending addition. Returns whether the caller removed themselves. Admins and the ' +
      'owner may remove anyone but the owner; everyone but the owner may leave. The user acts in the personal ' +
      'workspace again at once. What the user made stays with the team; invitations by the user are revoked.',
    errors: ['workspace_suspended', 'owner_not_removable'],
  })
  async deleteMember(@CurrentActor() actor: Actor, @PathId('user_id') userId: number) {
    return { remove_self: await this.members.remove(actor, userId) };
  }

  @Put(':user_id/role')
  @May('team.change_role')
  @Existing('member', 'user_id')
  @Responds(200, MemberResponse, {
    id: 'team.members.update',
    summary: "Change a member's role",
    description:
      "Gives a member another role. Returns the member. Only for the owner. The owner's own role changes by " +
      'transferring the ownership. The pending invitations of an admin who becomes a member are revoked.',
    errors: ['invalid_role_change'],
  })
  async putRole(
    @CurrentActor() actor: Actor,
    @PathId('user_id') userId: number,
    @RequestBody() { role }: ChangeRoleRequest,
  ) {
    return { member: memberDto(await this.members.changeRole(actor, userId, role)) };
  }
}

/** Tries of tokens that nobody has to sign in for. */
const INVITATION_TOKENS = { name: 'invitation-tokens', perAddress: 30, field: 'token', perValue: 10 };

@Controller('v2/team')
export class InvitationsController {
  constructor(
    @Inject(Invitations) private readonly invitations: Invitations,
    @Inject(teamViews) private readonly views: TeamViews,
    @Inject(clock) private readonly clock: Clock,
  ) {}

  @Post('send_invitation')
  @May('team.invite')
  @Responds(201, SentInvitationResponse, {
    id: 'team.invitations.send',
    summary: 'Invite an address',
    description:
      'Invites an e-mail address without an account to the team. Returns the invitation, whose token is sent only ' +
      'by mail. The invitation can be accepted within 7 days, with the token and an account of that address, as ' +
      'long as the inviter may invite. A second invitation of the same address replaces the first. For an address ' +
      'with an account the error is `user_exists`: add its user as a member.',
    errors: ['user_exists', 'conflict'],
  })
  async postInvitation(@CurrentActor() actor: Actor, @RequestBody() { email, role = 'member' }: SendInvitationRequest) {
    return { invitation: invitationDto(await this.invitations.invite(actor, { email, role })) };
  }

  @Get('pending_invitations')
  @May('team.invite')
  @Responds(200, PendingInvitationsResponse, {
    id: 'team.invitations.list',
    summary: 'List pending invitations and additions',
    description:
      'Lists the pending invitations and additions, newest first. Returns each with its role, inviter and expiry.',
  })
  async getInvitations(@CurrentActor() { workspaceId }: Actor, @PageQuery({ whole: true }) page: PageRequest) {
    return listOf('invitations', await this.views.invitations(workspaceId, this.clock.now(), page), invitationDto);
  }

  @Delete('invitations/:id')
  @May('team.invite')
  @Existing('invitation', 'id')
  @Responds(200, null, {
    id: 'team.invitations.revoke',
    summary: 'Revoke an invitation',
    description: 'Revokes a pending invitation: its token stops working at once. Returns only `status`.',
  })
  async deleteInvitation(@CurrentActor() actor: Actor, @PathId('id') invitationId: number) {
    await this.invitations.revoke(actor, invitationId);
  }

  @Post('read_invitation')
  @Responds(200, ReceivedInvitationResponse, {
    id: 'team.invitations.read',
    summary: 'Read an invitation before accepting or declining it',
    description:
      'Reads an invitation by its mailed token. Returns the inviter, the team, the role and the expiry. The ' +
      'caller must be logged in with the invited e-mail address; no plan is needed. All invalid tokens give the ' +
      'same error.',
    errors: ['invalid_invitation'],
    keptBy: 'user',
  })
  async readOne(@CurrentActor() actor: Actor, @RequestBody() { token }: ReadInvitationRequest) {
    return receivedInvitationResponse(await this.invitations.read(actor, token));
  }

  @Post('preview_invitation')
  @Public()
  @LimitFailures(INVITATION_TOKENS)
  @Responds(200, ReceivedInvitationResponse, {
    id: 'team.invitations.mailed.read',
    summary: 'Read an invitation before signing in',
    description:
      'Reads an invitation by its mailed token alone. Returns what the mail says: the inviter, the team, the role and ' +
      'the expiry. All invalid tokens give the same error.',
    errors: ['invalid_invitation'],
    keptBy: 'nobody',
  })
  async previewOne(@RequestBody() { token }: ReadInvitationRequest) {
    return receivedInvitationResponse(await this.invitations.preview(token));
  }

  @Post('respond_invitation')
  @Responds(200, AnsweredInvitationResponse, {
    id: 'team.invitations.respond',
    summary: 'Accept or decline an invitation',
    description:
      'Accepts or declines an invitation by its mailed token. Returns its new state, and the team. The caller ' +
      'must be logged in with the invited e-mail address; no plan is needed. A user who accepts acts in the team ' +
      'from the next request on. All invalid tokens give the same error.',
    errors: ['invalid_invitation', 'in_other_team', 'workspace_suspended'],
    keptBy: 'user',
  })
  async postResponse(@CurrentActor() actor: Actor, @RequestBody() body: RespondInvitationRequest) {
    return answeredInvitationResponse(await this.invitations.respond(actor, body));
  }
}

@Module({
  imports: [FilesModule, IdentityModule, TeamModule],
  controllers: [InvitationsController, MembersController, TeamController],
})
export class TeamApiModule {
  constructor(
    @Inject(ExistenceChecks) checks: ExistenceChecks,
    @Inject(memberStore) members: MemberStore,
    @Inject(invitationStore) invitations: InvitationStore,
    @Inject(clock) clock: Clock,
  ) {
    checks.register('member', async ({ workspaceId }, userId) => (await members.find(workspaceId, userId)) !== null);
    checks.register('invitation', ({ workspaceId }, id) => invitations.isPending(workspaceId, id, clock.now()));
  }
}
