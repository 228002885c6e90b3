import { Controller, Delete, Get, Inject, Module, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Settings } from '#config';
import { WorkspaceUrls } from '#files';
import {
  Accounts,
  ApiTokens,
  Profiles,
  type Session,
  type SessionClient,
  Sessions,
  Tokens,
  type Actor,
} from '#identity';
import { type CreditViews, monthOf } from '#credits';
import { type Clock, invalidField, type PageRequest } from '#kernel';
import {
  AccountModule,
  clock,
  creditViews,
  CreditsModule,
  ErasureModule,
  ExportModule,
  settings,
  StorageModule,
} from '#wiring';
import {
  type ApiRequest,
  CurrentActor,
  cursorOf,
  isFromThisMachine,
  LimitFailures,
  OwnPage,
  PageQuery,
  PathId,
  Post,
  Public,
  RequestBody,
  RequestLimits,
  Responds,
  SessionCookie,
} from '../http/index.ts';
import { signInMethodsResponse, SignInMethodsResponse } from './oidc.dto.ts';
import { GrantsController } from './grants.controller.ts';
import { OidcController, OidcLinksController } from './oidc.controllers.ts';
import { clientOf } from './session-client.ts';
import { AttemptCookies } from './attempt-cookies.ts';
import { AccountController, SessionsController } from './account.controllers.ts';
import { ExportController } from './export.controller.ts';
import {
  BrowserSessionResponse,
  browserSessionResponse,
  CreateTokenRequest,
  LogInRequest,
  MeResponse,
  meResponse,
  NewTokenResponse,
  newTokenResponse,
  OpenSessionRequest,
  SessionResponse,
  sessionResponse,
  SignUpRequest,
  tokenDto,
  TokensResponse,
} from './identity.dto.ts';
import { TwoFactorController } from './two-factor.controller.ts';

const LOG_IN_FAILURES = { name: 'log-in', perAddress: 30, field: 'email', perValue: 10 };

@Controller('v2/auth')
export class AuthController {
  constructor(
    @Inject(Accounts) private readonly accounts: Accounts,
    @Inject(Profiles) private readonly profiles: Profiles,
    @Inject(WorkspaceUrls) private readonly urls: WorkspaceUrls,
    @Inject(settings) private readonly values: Settings,
    @Inject(RequestLimits) private readonly limits: RequestLimits,
  ) {}

  @Post('signup')
  @Public()
  @Responds(201, SessionResponse, {
    id: 'auth.signUp',
    summary: 'Sign up',
    description:
      'Creates an account with a workspace of its own on the plan `free`, and a persona named `Default`. Returns ' +
      'the user and a token, and mails a token that confirms the address. Responds with 403 when the operator has ' +
      'switched sign-up off. An address may sign up ten times a minute, or what `SIGNUPS_PER_MINUTE` says.',
    errors: ['forbidden', 'user_exists'],
  })
  async postSignup(
    @RequestBody() body: SignUpRequest,
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) response: Response,
  ) {
    await this.limits.countSignUp(request, response);
    const account = { ...body, name: body.name ?? null, client: clientOf(request) };
    return sessionResponse(await this.accounts.signUp(account), this.urls);
  }

  @Post('login')
  @Public()
  @LimitFailures(LOG_IN_FAILURES)
  @Responds(200, SessionResponse, {
    id: 'auth.logIn',
    summary: 'Log in',
    description:
      'Authenticates by e-mail and password. Returns the user and a new token. An unknown e-mail and a wrong ' +
      'password give the same error. With two-factor on, the response is 401 `second_factor_required` with a ' +
      '`challenge`, which is valid for five minutes and five codes: send it with a `code` to get the token. After ' +
      'wrong codes in a row an account has to wait (429), but for recovery codes. An `Idempotency-Key` has no effect.',
    errors: ['unauthenticated', 'second_factor_required'],
    keptBy: 'nobody',
  })
  async postLogin(@RequestBody() body: LogInRequest, @Req() request: Request) {
    return sessionResponse(await logIn(this.accounts, body, clientOf(request)), this.urls);
  }

  @Get('methods')
  @Public()
  @Responds(200, SignInMethodsResponse, {
    id: 'auth.methods.get',
    summary: 'Read how people can sign in',
    description:
      'Reads what a sign-in page needs. Returns the ways to sign in. Single sign-on begins when a browser opens ' +
      '`/v2/auth/oidc/start?return_to=/console`: it leads to the issuer and back to that path of the console, with a ' +
      'session by cookie, or to `/console/sign-in#error=…`.',
  })
  getMethods() {
    return signInMethodsResponse(this.values);
  }

  @Get('me')
  @Responds(200, MeResponse, {
    id: 'auth.me',
    summary: 'Read the user of the token, their workspace and role',
    description:
      'Reads the user of the token. Returns the user, the workspace in which the user acts, and the role there.',
  })
  async getMe(@CurrentActor() actor: Actor) {
    return meResponse(await this.profiles.read(actor.userId), actor, this.urls, this.values.uploads);
  }
}

@Controller('v2/auth/session')
export class SessionController {
  constructor(
    @Inject(Accounts) private readonly accounts: Accounts,
    @Inject(Sessions) private readonly sessions: Sessions,
    @Inject(SessionCookie) private readonly cookie: SessionCookie,
    @Inject(WorkspaceUrls) private readonly urls: WorkspaceUrls,
  ) {}

  @Post()
  @Public()
  @UseGuards(OwnPage)
  @LimitFailures(LOG_IN_FAILURES)
  @Responds(200, BrowserSessionResponse, {
    id: 'auth.session.create',
    summary: 'Open a session by cookie',
    description:
      'Opens a session for a browser: like log-in, but the new token is a cookie that scripts cannot read and ' +
      'that expires with the token. Returns the user and the session. Send `email` and `password`, or `token`, or ' +
      '`link`, or, as for log-in, `challenge` and `code`. A session that is opened with `token` ends with that token. `link` is the secret of a sign-in ' +
      'link, which works once and for ten minutes; the link of `npm start` works on the machine of the service ' +
      'only. Requests from pages of another origin get 403, and so do changing requests by cookie without an ' +
      '`Origin` of this service. An `Authorization` header takes precedence over the cookie. An `Idempotency-Key` ' +
      'has no effect.',
    errors: ['unauthenticated', 'forbidden', 'second_factor_required'],
    setsCookie: true,
  })
  async postSession(
    @RequestBody() body: OpenSessionRequest,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ) {
    const session = await this.#open(body, isFromThisMachine(request), clientOf(request));
    this.cookie.set(response, session.token);
    return browserSessionResponse(session, this.urls);
  }

  @Delete()
  @Responds(200, null, {
    id: 'auth.session.delete',
    summary: 'End the session',
    description: 'Revokes the token of the request and removes the cookie. Returns only `status`.',
    setsCookie: true,
  })
  async deleteSession(@CurrentActor() actor: Actor, @Res({ passthrough: true }) response: Response) {
    await this.sessions.endCurrent(actor);
    this.cookie.clear(response);
  }

  #open(
    { token, link, ...credentials }: OpenSessionRequest,
    isLocal: boolean,
    client: SessionClient,
  ): Promise<Session> {
    const hasCredentials = Object.values(credentials).some((value) => value !== undefined);
    if (link !== undefined) {
      if (hasCredentials || token !== undefined) throw invalidField('link', 'replaces email, password and token');
      return this.accounts.logInByLink(link, isLocal, client);
    }
    if (token !== undefined) {
      if (hasCredentials) throw invalidField('token', 'replaces email and password');
      return this.accounts.logInByToken(token, client);
    }
    return logIn(this.accounts, credentials, client);
  }
}

/** By e-mail and password, or by challenge and code. */
function logIn(
  accounts: Accounts,
  { email, password, challenge, code }: LogInRequest,
  client: SessionClient,
): Promise<Session> {
  if (challenge !== undefined) {
    if (email !== undefined || password !== undefined) throw invalidField('challenge', 'replaces email and password');
    if (code === undefined) throw invalidField('code', 'must be given');
    return accounts.logInByCode({ challenge, code, client });
  }
  if (email === undefined) throw invalidField('email', 'must be given');
  if (password === undefined) throw invalidField('password', 'must be given');
  return accounts.logIn({ email, password, client });
}

@Controller('v2/auth/tokens')
export class TokensController {
  constructor(
    @Inject(Tokens) private readonly tokens: Tokens,
    @Inject(ApiTokens) private readonly apiTokens: ApiTokens,
    @Inject(creditViews) private readonly credits: CreditViews,
    @Inject(clock) private readonly clock: Clock,
  ) {}

  @Get()
  @Responds(200, TokensResponse, {
    id: 'auth.tokens.list',
    summary: "List the caller's tokens",
    description:
      'Lists the tokens and sessions of the caller, newest first. Returns them without their secrets. Expired ' +
      'tokens are listed until the next token is created. A token with scopes lists itself and what was made with it.',
  })
  async getTokens(@CurrentActor() actor: Actor, @PageQuery() page: PageRequest) {
    const { items, next } = await this.tokens.listFor(actor, page);
    const limited = items.filter(({ monthlyCredits }) => monthlyCredits !== null).map(({ id }) => id);
    const used = await this.credits.usedOfBudgets(limited, monthOf(this.clock.now()));
    return { tokens: items.map((token) => tokenDto(token, actor, used)), next_cursor: cursorOf(next) };
  }

  @Post()
  @Responds(201, NewTokenResponse, {
    id: 'auth.tokens.create',
    summary: 'Create a token',
    description:
      'Creates an API token for the caller. Returns the token with its secret, which is shown only once. A token ' +
      'that is made with another API token, or in a session opened with one, is revoked with that token and ' +
      'expires with it at the latest. A token made after a log-in by password is independent. ' +
      'A token makes no token that may do or spend more than itself; what is spent with a token counts in the budgets ' +
      'of those it was made with. Each call of a token with a `customer` is made for that customer; one that names ' +
      'another is `forbidden`.',
  })
  async postToken(
    @CurrentActor() actor: Actor,
    @RequestBody() { name, expires_in_days: days, scopes, monthly_credits: credits, customer }: CreateTokenRequest,
  ) {
    const request = {
      name,
      expiresInDays: days ?? null,
      limits: { scopes: scopes ?? null, monthlyCredits: credits ?? null, customer: customer ?? null },
    };
    return newTokenResponse(await this.apiTokens.create(actor, request), actor);
  }

  @Delete(':id')
  @Responds(200, null, {
    id: 'auth.tokens.revoke',
    summary: 'Revoke a token',
    description:
      'Revokes a token of the caller. Returns only `status`. The token stops working at once, and so do the ' +
      'sessions and tokens that were made with it, and their event streams. Callers may revoke the token of the ' +
      'request itself. A token with scopes revokes itself and what was made with it.',
  })
  async deleteToken(@CurrentActor() actor: Actor, @PathId('id') tokenId: number) {
    await this.apiTokens.revoke(actor, tokenId);
  }
}

@Module({
  imports: [AccountModule, CreditsModule, ErasureModule, ExportModule, StorageModule],
  controllers: [
    AuthController,
    SessionController,
    TokensController,
    AccountController,
    SessionsController,
    GrantsController,
    TwoFactorController,
    ExportController,
    OidcController,
    OidcLinksController,
  ],
  providers: [AttemptCookies],
})
export class IdentityApiModule {}
