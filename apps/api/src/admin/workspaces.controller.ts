import { randomUUID } from 'node:crypto';
import { Delete, Get, Inject, Put, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Credits } from '#credits';
import { Erasures } from '#erasure';
import { type Directory, type DirectoryWorkspace, Provisioning, Teams } from '#identity';
import { notFound, type PageRequest } from '#kernel';
import { Members } from '#team';
import { directory } from '#wiring';
import { CreateTokenRequest, NewTokenResponse, newTokenResponse } from '../identity/identity.dto.ts';
import { listOf, PageQuery, PathId, Post, RequestBody, RequestQuery, Responds } from '../http/index.ts';
import { ChangeRoleRequest, memberDto, MemberResponse } from '../team/team.dto.ts';
import { ForOperators } from './operator-guard.ts';
import {
  CreateWorkspaceRequest,
  GrantCreditsRequest,
  GrantedCreditsResponse,
  OperatorWorkspaceResponse,
  UpdateWorkspaceRequest,
  workspaceDto,
  WorkspacesQuery,
  WorkspacesResponse,
} from './provisioning.dto.ts';

/** Workspaces, for applications that give each of their customers one. */
@ForOperators('workspaces')
export class WorkspacesController {
  constructor(
    @Inject(directory) private readonly directory: Directory,
    @Inject(Provisioning) private readonly provisioning: Provisioning,
    @Inject(Teams) private readonly teams: Teams,
    @Inject(Members) private readonly members: Members,
    @Inject(Credits) private readonly credits: Credits,
    @Inject(Erasures) private readonly erasures: Erasures,
  ) {}

  @Get()
  @Responds(200, WorkspacesResponse, {
    id: 'operators.workspaces.list',
    summary: 'List workspaces',
    description: 'Lists workspaces, those of teams and personal ones. Returns a page, newest first.',
  })
  async getWorkspaces(
    @RequestQuery() { external_id: externalId, plan }: WorkspacesQuery,
    @PageQuery() page: PageRequest,
  ) {
    return listOf('workspaces', await this.directory.workspaces(page, { externalId, plan }), workspaceDto);
  }

  @Post()
  @Responds(201, OperatorWorkspaceResponse, {
    id: 'operators.workspaces.create',
    summary: 'Open a workspace',
    description:
      'Opens a workspace that several users may share. Returns the workspace; with 200 and as it is, if there is one ' +
      'with this `external_id`. An owner who has no account gets one without a password: they sign in by "forgot ' +
      'password", or by single sign-on.',
    also: { 200: [OperatorWorkspaceResponse] },
    errors: ['in_other_team', 'user_exists'],
  })
  async postWorkspace(
    @RequestBody() { name, plan, email = null, external_id: externalId = null }: CreateWorkspaceRequest,
    @Res({ passthrough: true }) response: Response,
  ) {
    const { found, isNew } = await this.provisioning.openWorkspace({ name, plan, email, externalId });
    if (!isNew) response.status(200);
    return { workspace: workspaceDto(found) };
  }

  @Get(':id')
  @Responds(200, OperatorWorkspaceResponse, {
    id: 'operators.workspaces.get',
    summary: 'Read a workspace',
    description: 'Reads a workspace. Returns the workspace.',
  })
  async getWorkspace(@PathId('id') id: number) {
    return { workspace: workspaceDto(await this.#find(id)) };
  }

  @Put(':id')
  @Responds(200, OperatorWorkspaceResponse, {
    id: 'operators.workspaces.update',
    summary: 'Name, suspend, or change the plan of a workspace',
    description:
      'Changes a workspace, from its next request on. A suspended one can be read, and starts, uploads and changes ' +
      'nothing: its members get 403 `workspace_suspended`. What was accepted before goes on. Returns the workspace.',
  })
  async putWorkspace(@PathId('id') id: number, @RequestBody() changes: UpdateWorkspaceRequest) {
    return { workspace: workspaceDto(await this.teams.update(id, changes)) };
  }

  @Delete(':id')
  @Responds(202, null, {
    id: 'operators.workspaces.delete',
    summary: 'Delete a workspace with everything in it',
    description:
      'Erases a workspace that several users may share, for good. Its members act in their personal workspaces at ' +
      'once. Returns only `status`, before the files are gone. Responds with 404 when the workspace is gone. A personal ' +
      'workspace is deleted with its user.',
    errors: ['conflict'],
  })
  async deleteWorkspace(@PathId('id') id: number) {
    await this.erasures.requestOfWorkspace(id);
  }

  @Post(':id/credits')
  @Responds(200, GrantedCreditsResponse, {
    id: 'operators.workspaces.credits.add',
    summary: 'Grant credits to a workspace',
    description: 'Adds credits to this month (UTC) of a workspace. Returns the credits of the month.',
  })
  async postCredits(
    @PathId('id') workspaceId: number,
    @RequestBody() { amount, reason, key = randomUUID() }: GrantCreditsRequest,
  ) {
    const { plan } = await this.#find(workspaceId);
    await this.credits.grant({ workspaceId, amount, reason, key: `${workspaceId}:${key}` });
    const { allocation, used, available } = await this.credits.current(workspaceId, plan);
    return { credits: { purchased: allocation, used, available } };
  }

  @Post(':id/tokens')
  @Responds(201, NewTokenResponse, {
    id: 'operators.workspaces.tokens.create',
    summary: 'Create an API token that acts in a workspace',
    description:
      'Creates a token that acts as the owner of the workspace. Returns the token, which is shown only once. The owner ' +
      'of a personal workspace may act in a team instead: then 409 `conflict`.',
    errors: ['conflict'],
  })
  async postToken(@PathId('id') id: number, @RequestBody() body: CreateTokenRequest) {
    const { name, expires_in_days: expiresInDays = null, scopes = null, customer = null } = body;
    const limits = { scopes, monthlyCredits: body.monthly_credits ?? null, customer };
    const request = { name, expiresInDays, limits };
    return newTokenResponse(await this.provisioning.createToken(id, request), { tokenId: 0 });
  }

  @Put(':id/members/:user_id')
  @Responds(200, MemberResponse, {
    id: 'operators.workspaces.members.update',
    summary: 'Make a user a member, or change the role of a member',
    description:
      'Makes a user a member of a workspace in a role, who acts there at once, or changes the role. Returns the member. ' +
      'The owner keeps the role.',
    errors: ['in_other_team', 'invalid_role_change'],
  })
  async putMember(
    @PathId('id') id: number,
    @PathId('user_id') userId: number,
    @RequestBody() { role }: ChangeRoleRequest,
  ) {
    return { member: memberDto(await this.members.putAsOperator(id, userId, role)) };
  }

  @Delete(':id/members/:user_id')
  @Responds(200, null, {
    id: 'operators.workspaces.members.remove',
    summary: 'Remove a member',
    description:
      'Ends a membership: the user acts in the personal workspace at once. Returns only `status`. The owner stays.',
    errors: ['owner_not_removable'],
  })
  async deleteMember(@PathId('id') id: number, @PathId('user_id') userId: number) {
    await this.members.removeAsOperator(id, userId);
  }

  async #find(id: number): Promise<DirectoryWorkspace> {
    const workspace = await this.directory.workspace(id);
    if (!workspace) throw notFound('workspace');
    return workspace;
  }
}
