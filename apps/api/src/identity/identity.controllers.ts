import { Controller, Delete, Get, Inject, Module, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Accounts, Tokens, type AccountStore, type Actor, type TokenStore } from '#identity';
import { DomainError, type PageRequest, type UnitOfWork } from '#kernel';
import { accountStore, IdentityModule, tokenStore, unitOfWork } from '#wiring';
import {
  CurrentActor,
  cursorOf,
  LimitFailures,
  PageQuery,
  PathId,
  Public,
  RequestBody,
  Responds,
} from '../http/index.ts';
import {
  CreateTokenRequest,
  LogInRequest,
  MeResponse,
  meResponse,
  NewTokenResponse,
  newTokenResponse,
  SessionResponse,
  sessionResponse,
  SignUpRequest,
  tokenDto,
  TokensResponse,
} from './identity.dto.ts';

@ApiTags('Accounts')
@Controller('v2/auth')
export class AuthController {
  constructor(
    @Inject(Accounts) private readonly accounts: Accounts,
    @Inject(accountStore) private readonly store: AccountStore,
  ) {}

  @Post('signup')
  @Public()
  @Responds(201, SessionResponse, {
    summary: 'Sign up',
    description:
      'Opens an account with a workspace of its own on the plan `free`, and one persona named `Default`. Responds ' +
      'with 403 when the operator has switched sign-up off.',
    errors: ['validation_failed', 'forbidden', 'user_exists'],
  })
  async postSignup(@RequestBody() body: SignUpRequest): Promise<SessionResponse> {
    return sessionResponse(await this.accounts.signUp({ ...body, name: body.name ?? null }));
  }

  @Post('login')
  @Public()
  @LimitFailures({ perAddress: 30, field: 'email', perValue: 10 })
  @Responds(200, SessionResponse, {
    summary: 'Log in',
    description: 'Responds with a new token. An unknown e-mail and a wrong password give the same error.',
    errors: ['validation_failed', 'unauthenticated'],
  })
  async postLogin(@RequestBody() body: LogInRequest): Promise<SessionResponse> {
    return sessionResponse(await this.accounts.logIn(body));
  }

  @Get('me')
  @Responds(200, MeResponse, { summary: 'Read the user of the token, their workspace and role' })
  async getMe(@CurrentActor() actor: Actor): Promise<MeResponse> {
    const user = await this.store.find(actor.userId);
    // Deleted since the token was looked up.
    if (!user) throw new DomainError('unauthenticated', 'the account is gone');
    return meResponse(user, actor);
  }
}

@ApiTags('Accounts')
@Controller('v2/auth/tokens')
export class TokensController {
  constructor(
    @Inject(Tokens) private readonly tokens: Tokens,
    @Inject(tokenStore) private readonly store: TokenStore,
    @Inject(unitOfWork) private readonly unitOfWork: UnitOfWork,
  ) {}

  @Get()
  @Responds(200, TokensResponse, {
    summary: "List the caller's tokens",
    description: 'Without their secrets. Expired ones are listed until the next token is created.',
    errors: ['validation_failed'],
  })
  async getTokens(@CurrentActor() actor: Actor, @PageQuery() page: PageRequest): Promise<TokensResponse> {
    const { items, next } = await this.store.list(actor.userId, page);
    return { tokens: items.map(tokenDto), next_cursor: cursorOf(next) };
  }

  @Post()
  @Responds(201, NewTokenResponse, { summary: 'Create a token', errors: ['validation_failed'] })
  async postToken(
    @CurrentActor() { userId }: Actor,
    @RequestBody() { name, expires_in_days: days }: CreateTokenRequest,
  ): Promise<NewTokenResponse> {
    const request = { userId, name, expiresInDays: days ?? null };
    // In a unit of work, which checks the caller's own token again: a revoked one makes no other.
    return newTokenResponse(await this.unitOfWork.run(() => this.tokens.create(request)));
  }

  @Delete(':id')
  @Responds(200, null, {
    summary: 'Revoke a token',
    description: 'It stops working at once. Callers may revoke the token of the request itself.',
    errors: ['validation_failed', 'not_found'],
  })
  async deleteToken(@CurrentActor() { userId }: Actor, @PathId('id') tokenId: number): Promise<void> {
    await this.tokens.revoke(userId, tokenId);
  }
}

@Module({ imports: [IdentityModule], controllers: [AuthController, TokensController] })
export class IdentityApiModule {}
