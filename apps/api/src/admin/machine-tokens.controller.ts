import { Delete, Get, Inject, Req } from '@nestjs/common';
import { MachineTokens, type MachineTokenStore } from '#identity';
import type { PageRequest } from '#kernel';
import { machineTokenStore } from '#wiring';
import { type ApiRequest, dtoOf, listOf, PageQuery, PathId, Post, RequestBody, Responds } from '../http/index.ts';
import {
  CreateMachineTokenRequest,
  MachineTokenDto,
  MachineTokensResponse,
  NewMachineTokenResponse,
} from './machine-tokens.dto.ts';
import { ForOperators, requirePerson } from './operator-guard.ts';

/** Tokens with which programs operate the service. */
@ForOperators('tokens')
export class MachineTokensController {
  constructor(
    @Inject(MachineTokens) private readonly tokens: MachineTokens,
    @Inject(machineTokenStore) private readonly store: MachineTokenStore,
  ) {}

  @Get()
  @Responds(200, MachineTokensResponse, {
    id: 'operators.tokens.list',
    summary: 'List the machine tokens',
    description:
      'Lists the tokens with which programs operate the service. Returns a page, newest first, without secrets.',
  })
  async getTokens(@PageQuery() page: PageRequest) {
    return listOf('tokens', await this.store.list(page), (token) => dtoOf(MachineTokenDto, token));
  }

  @Post()
  @Responds(201, NewMachineTokenResponse, {
    id: 'operators.tokens.create',
    summary: 'Create a machine token',
    description:
      'Creates a token with which a program operates the service: `operate.read` for every GET, `operate` for ' +
      'everything but machine tokens and the right of operators. Returns the token, which is shown only once. A ' +
      'machine token cannot do this.',
    errors: ['forbidden'],
  })
  async postToken(@RequestBody() body: CreateMachineTokenRequest, @Req() request: ApiRequest) {
    requirePerson(request);
    const { name, scopes, expires_in_days: expiresInDays = null } = body;
    const { secret, ...token } = await this.tokens.create({ name, scopes, expiresInDays });
    return { token: secret, ...dtoOf(MachineTokenDto, token) };
  }

  @Delete(':id')
  @Responds(200, null, {
    id: 'operators.tokens.revoke',
    summary: 'Revoke a machine token',
    description: 'Ends a machine token at once. Returns only `status`.',
  })
  async deleteToken(@PathId('id') id: number) {
    await this.tokens.revoke(id);
  }
}
