import { Controller, Delete, Get, Inject, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#identity';
import type { Clock, PageRequest } from '#kernel';
import { Invitations, type TeamViews } from '#team';
import { clock, teamViews } from '#wiring';
import { CurrentActor, cursorOf, Existing, May, PageQuery, PathId, RequestBody, Responds } from '../http/index.ts';
import {
  AnsweredInvitationResponse,
  answeredInvitationResponse,
  invitationDto,
  PendingInvitationsResponse,
  RespondInvitationRequest,
  SendInvitationRequest,
  SentInvitationResponse,
} from './team.dto.ts';

@ApiTags('Team')
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
    summary: 'Invite an address',
    description:
      'Mails a token to an address without an account. With the token, and an account with that address, the invitation can be answered within 7 days. A second invitation of the same address replaces the first. Users with an account are added as members instead: for them the error is `user_exists`.',
    errors: ['user_exists', 'conflict'],
  })
  async postInvitation(
    @CurrentActor() actor: Actor,
    @RequestBody() { email, role = 'member' }: SendInvitationRequest,
  ): Promise<SentInvitationResponse> {
    return { invitation: invitationDto(await this.invitations.invite(actor, { email, role })) };
  }

  @Get('pending_invitations')
  @May('team.invite')
  @Responds(200, PendingInvitationsResponse, { summary: 'List pending invitations' })
  async getInvitations(
    @CurrentActor() { workspaceId }: Actor,
    @PageQuery({ whole: true }) page: PageRequest,
  ): Promise<PendingInvitationsResponse> {
    const { items, next } = await this.views.invitations(workspaceId, this.clock.now(), page);
    return { invitations: items.map(invitationDto), next_cursor: cursorOf(next) };
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
    await this.invitations.revoke(actor, invitationId);
  }

  @Post('respond_invitation')
  @Responds(200, AnsweredInvitationResponse, {
    summary: 'Accept or decline an invitation',
    description:
      'The caller must be logged in with the invited e-mail address; no plan is needed. A user who accepts acts in the team from their next request on. All invalid tokens give the same error.',
    errors: ['invalid_invitation', 'in_other_team'],
  })
  async postResponse(
    @CurrentActor() actor: Actor,
    @RequestBody() body: RespondInvitationRequest,
  ): Promise<AnsweredInvitationResponse> {
    return answeredInvitationResponse(await this.invitations.respond(actor, body));
  }
}
