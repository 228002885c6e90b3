import { Controller, Delete, Get, Inject, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#identity';
import type { PageRequest } from '#kernel';
import { AddMember, ChangeRole, ListMembers, RemoveMember } from '#team';
import {
  Responds,
  CurrentActor,
  cursorOf,
  Existing,
  RequestBody,
  PageQuery,
  PathId,
  May,
} from '../http/index.ts';
import { AddedMemberAnswer, MemberAnswer, MembersAnswer, RemovedMemberAnswer } from './member-answers.ts';
import { AddMemberForm, ChangeRoleForm } from './member-forms.ts';
import { memberView } from './member-view.ts';

@ApiTags('Team')
@Controller('v2/team/members')
export class MembersController {
  constructor(
    @Inject(ListMembers) private readonly listMembers: ListMembers,
    @Inject(AddMember) private readonly addMember: AddMember,
    @Inject(RemoveMember) private readonly removeMember: RemoveMember,
    @Inject(ChangeRole) private readonly changeRole: ChangeRole,
  ) {}

  @Get()
  @May('team.read')
  @Responds(200, MembersAnswer, {
    summary: 'List members',
    description: 'Only admins and the owner get the list: for a plain member it is empty.',
  })
  async getMembers(
    @CurrentActor() actor: Actor,
    @PageQuery({ whole: true }) page: PageRequest,
  ): Promise<MembersAnswer> {
    const { items, next } = await this.listMembers.run(actor, page);
    return { members: items.map(memberView), next_cursor: cursorOf(next) };
  }

  @Post()
  @May('team.add_member')
  @Responds(201, AddedMemberAnswer, {
    summary: 'Add a member',
    description:
      'Somebody who has an account, or with `password` a new account. They act in the team from their next request on. An invitation that waits for their answer is revoked.',
    errors: ['not_found', 'user_exists', 'already_member', 'in_other_team', 'conflict'],
  })
  async postMember(
    @CurrentActor() actor: Actor,
    @RequestBody() form: AddMemberForm,
  ): Promise<AddedMemberAnswer> {
    const { email, role = 'member', password = null } = form;
    const { member, createdUser } = await this.addMember.run(actor, { email, role, password });
    return { member: memberView(member), created_user: createdUser };
  }

  @Delete(':user_id')
  @May('team.leave')
  @Existing('member', 'user_id')
  @Responds(200, RemovedMemberAnswer, {
    summary: 'Remove a member, or leave',
    description:
      'Admins and the owner remove anyone but the owner; everyone but the owner may leave. Who goes is back in their own workspace at once; what they made stays with the team.',
    errors: ['forbidden', 'not_found', 'owner_not_removable'],
  })
  async deleteMember(
    @CurrentActor() actor: Actor,
    @PathId('user_id') userId: number,
  ): Promise<RemovedMemberAnswer> {
    return { remove_self: await this.removeMember.run(actor, userId) };
  }

  @Put(':user_id/role')
  @May('team.change_role')
  @Existing('member', 'user_id')
  @Responds(200, MemberAnswer, {
    summary: "Change a member's role",
    description: "For the owner alone; the owner's own role changes by transferring the ownership.",
    errors: ['not_found', 'invalid_role_change'],
  })
  async putRole(
    @CurrentActor() actor: Actor,
    @PathId('user_id') userId: number,
    @RequestBody() form: ChangeRoleForm,
  ): Promise<MemberAnswer> {
    return { member: memberView(await this.changeRole.run(actor, userId, form.role)) };
  }
}
