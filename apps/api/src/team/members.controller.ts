import { Controller, Delete, Get, Inject, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { may, type Actor } from '#identity';
import type { PageRequest } from '#kernel';
import { Members, type TeamViews } from '#team';
import { teamViews } from '#wiring';
import { CurrentActor, cursorOf, Existing, May, PageQuery, PathId, RequestBody, Responds } from '../http/index.ts';
import {
  AddedMemberResponse,
  AddMemberRequest,
  ChangeRoleRequest,
  memberDto,
  MemberResponse,
  MembersResponse,
  RemovedMemberResponse,
} from './team.dto.ts';

@ApiTags('Team')
@Controller('v2/team/members')
export class MembersController {
  constructor(
    @Inject(Members) private readonly members: Members,
    @Inject(teamViews) private readonly views: TeamViews,
  ) {}

  @Get()
  @May('team.read')
  @Responds(200, MembersResponse, {
    summary: 'List members',
    description: 'Only admins and the owner get the list: for a plain member it is empty.',
  })
  async getMembers(
    @CurrentActor() actor: Actor,
    @PageQuery({ whole: true }) page: PageRequest,
  ): Promise<MembersResponse> {
    if (!may('team.read_members', actor)) return { members: [], next_cursor: null };
    const { items, next } = await this.views.members(actor.workspaceId, page);
    return { members: items.map(memberDto), next_cursor: cursorOf(next) };
  }

  @Post()
  @May('team.add_member')
  @Responds(201, AddedMemberResponse, {
    summary: 'Add a member',
    description:
      'A user who has an account, or with `password` a new account. They act in the team from their next request on. Their pending invitation is revoked.',
    errors: ['not_found', 'user_exists', 'already_member', 'in_other_team', 'conflict'],
  })
  async postMember(
    @CurrentActor() actor: Actor,
    @RequestBody() { email, role = 'member', password = null }: AddMemberRequest,
  ): Promise<AddedMemberResponse> {
    const { member, createdUser } = await this.members.add(actor, { email, role, password });
    return { member: memberDto(member), created_user: createdUser };
  }

  @Delete(':user_id')
  @May('team.leave')
  @Existing('member', 'user_id')
  @Responds(200, RemovedMemberResponse, {
    summary: 'Remove a member, or leave',
    description:
      'Admins and the owner may remove anyone but the owner; everyone but the owner may leave. The user acts in their own workspace again at once; what they made stays with the team.',
    errors: ['forbidden', 'not_found', 'owner_not_removable'],
  })
  async deleteMember(@CurrentActor() actor: Actor, @PathId('user_id') userId: number): Promise<RemovedMemberResponse> {
    return { remove_self: await this.members.remove(actor, userId) };
  }

  @Put(':user_id/role')
  @May('team.change_role')
  @Existing('member', 'user_id')
  @Responds(200, MemberResponse, {
    summary: "Change a member's role",
    description: "Only for the owner. The owner's own role changes by transferring the ownership.",
    errors: ['not_found', 'invalid_role_change'],
  })
  async putRole(
    @CurrentActor() actor: Actor,
    @PathId('user_id') userId: number,
    @RequestBody() { role }: ChangeRoleRequest,
  ): Promise<MemberResponse> {
    return { member: memberDto(await this.members.changeRole(actor, userId, role)) };
  }
}
