import { Controller, Delete, Get, Inject, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#identity';
import type { PageRequest } from '#kernel';
import { InviteMember, ListInvitations, RespondToInvitation, RevokeInvitation } from '#team';
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
import {
  InvitationOutcomeAnswer,
  PendingInvitationsAnswer,
  SentInvitationAnswer,
} from './invitation-answers.ts';
import { RespondInvitationForm, SendInvitationForm } from './invitation-forms.ts';
import { invitationView } from './invitation-view.ts';

@ApiTags('Team')
@Controller('v2/team')
export class InvitationsController {
  constructor(
    @Inject(InviteMember) private readonly inviteMember: InviteMember,
    @Inject(ListInvitations) private readonly listInvitations: ListInvitations,
    @Inject(RevokeInvitation) private readonly revokeInvitation: RevokeInvitation,
    @Inject(RespondToInvitation) private readonly respondToInvitation: RespondToInvitation,
  ) {}

  @Post('send_invitation')
  @May('team.invite')
  @Responds(201, SentInvitationAnswer, {
    summary: 'Invite somebody',
    description:
      'Mails a token to somebody who has no account yet; with it, and an account under that address, they answer within 7 days. A second invitation of the same address replaces the first. Who has an account is added as a member instead: here it is refused with `user_exists`.',
    errors: ['user_exists', 'conflict'],
  })
  async postInvitation(
    @CurrentActor() actor: Actor,
    @RequestBody() form: SendInvitationForm,
  ): Promise<SentInvitationAnswer> {
    const { email, role = 'member' } = form;
    return { invitation: invitationView(await this.inviteMember.run(actor, { email, role })) };
  }

  @Get('pending_invitations')
  @May('team.invite')
  @Responds(200, PendingInvitationsAnswer, {
    summary: 'List pending invitations',
  })
  async getInvitations(
    @CurrentActor() actor: Actor,
    @PageQuery({ whole: true }) page: PageRequest,
  ): Promise<PendingInvitationsAnswer> {
    const { items, next } = await this.listInvitations.run(actor, page);
    return { invitations: items.map(invitationView), next_cursor: cursorOf(next) };
  }

  @Delete('invitations/:id')
  @May('team.invite')
  @Existing('invitation', 'id')
  @Responds(200, null, {
    summary: 'Revoke an invitation',
    description: 'Its token stops working at once.',
    errors: ['not_found'],
  })
  async deleteInvitation(@CurrentActor() actor: Actor, @PathId('id') invitationId: number): Promise<void> {
    await this.revokeInvitation.run(actor, invitationId);
  }

  @Post('respond_invitation')
  @Responds(200, InvitationOutcomeAnswer, {
    summary: 'Accept or decline an invitation',
    description:
      'The caller must be logged in with the invited e-mail address; no plan is needed. Who accepts acts in the team from their next request on. Whatever is wrong with the token, the answer is the same.',
    errors: ['invalid_invitation', 'in_other_team'],
  })
  async postResponse(
    @CurrentActor() actor: Actor,
    @RequestBody() { token, act }: RespondInvitationForm,
  ): Promise<InvitationOutcomeAnswer> {
    const answer = act === 'accept' ? 'accepted' : 'declined';
    return this.respondToInvitation.run(actor, { token, answer });
  }
}
