import { Controller, Delete, Get, Inject } from '@nestjs/common';
import type { Settings } from '#config';
import { Grants, type Actor } from '#identity';
import type { PageRequest } from '#kernel';
import { settings } from '#wiring';
import { CurrentActor, listOf, PageQuery, PathId, Post, RequestBody, Responds } from '../http/index.ts';
import {
  AuthorizationDto,
  authorizationRequestOf,
  CreateGrantRequest,
  grantDto,
  GrantsResponse,
  ProposalResponse,
  proposalResponse,
  RedirectResponse,
} from './grants.dto.ts';

/** Grants of the caller to applications, which ask for them by OAuth 2.1. */
@Controller('v2/auth/grants')
export class GrantsController {
  constructor(
    @Inject(Grants) private readonly grants: Grants,
    @Inject(settings) private readonly settings: Settings,
  ) {}

  @Get()
  @Responds(200, GrantsResponse, {
    id: 'auth.grants.list',
    summary: 'List connected applications',
    description: 'Lists the applications that act for the caller. Returns what each may do, newest first.',
  })
  async getGrants(@CurrentActor() actor: Actor, @PageQuery() page: PageRequest) {
    return listOf('grants', await this.grants.list(actor, page), grantDto);
  }

  @Post('check')
  @Responds(200, ProposalResponse, {
    id: 'auth.grants.check',
    summary: 'Read what an application asks for',
    description:
      'Checks the request of an application at `/oauth/authorize`. Returns its name, where its code would go and what it ' +
      'would be allowed to do, for the page that asks the user.',
    errors: ['insufficient_scope'],
  })
  async postCheck(@CurrentActor() actor: Actor, @RequestBody() asked: AuthorizationDto) {
    return proposalResponse(await this.grants.propose(actor, asked.client_id, authorizationRequestOf(asked)));
  }

  @Post()
  @Responds(201, RedirectResponse, {
    id: 'auth.grants.create',
    summary: 'Connect an application',
    description:
      'Grants an application what it asks for, or refuses it. Returns where the browser goes with a code, which the ' +
      'application redeems within a minute at `/oauth/token`. An `Idempotency-Key` has no effect.',
    errors: ['insufficient_scope'],
    keptBy: 'nobody',
  })
  async postGrant(@CurrentActor() actor: Actor, @RequestBody() { approve, state, ...asked }: CreateGrantRequest) {
    const request = authorizationRequestOf(asked as AuthorizationDto);
    const answer = approve
      ? { code: await this.grants.approve(actor, asked.client_id, request) }
      : await this.grants.propose(actor, asked.client_id, request).then(() => ({ error: 'access_denied' }));
    const to = new URL(asked.redirect_uri);
    // The issuer tells clients of several servers whose code it is (RFC 9207).
    const added = { ...answer, ...(state !== undefined && { state }), iss: this.settings.http.publicUrl };
    for (const [name, value] of Object.entries(added)) to.searchParams.set(name, value);
    return { redirect_to: to.href };
  }

  @Delete(':id')
  @Responds(200, null, {
    id: 'auth.grants.delete',
    summary: 'Disconnect an application',
    description: 'Ends the grant of an application. Returns only `status`. Its tokens stop working at once.',
    errors: ['not_found'],
  })
  async deleteGrant(@CurrentActor() actor: Actor, @PathId('id') id: number) {
    await this.grants.end(actor, id);
  }
}
