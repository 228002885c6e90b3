import { Controller, Delete, Get, Inject, Logger, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CONSOLE_PATH, SignInRefused, SingleSignOn, type Actor, type IdentityStore } from '#identity';
import { DomainError, type PageRequest } from '#kernel';
import { identityStore } from '#wiring';
import {
  CurrentActor,
  LimitFailures,
  listOf,
  pageOfWhole,
  PageQuery,
  PathId,
  Post,
  Public,
  RequestBody,
  RequestQuery,
  Responds,
  SessionCookie,
} from '../http/index.ts';
import { PASSWORD_FAILURES } from './account.controllers.ts';
import { AttemptCookies } from './attempt-cookies.ts';
import {
  IdentitiesResponse,
  identityDto,
  IssuerPageResponse,
  LinkIdentityRequest,
  StartSignInRequest,
} from './oidc.dto.ts';
import { clientOf } from './session-client.ts';

/** Pages that a browser passes on its way to the issuer and back. Failures end at the sign-in page of the console. */
@Controller('v2/auth/oidc')
export class OidcController {
  readonly #logger = new Logger('SingleSignOn');

  constructor(
    @Inject(SingleSignOn) private readonly singleSignOn: SingleSignOn,
    @Inject(AttemptCookies) private readonly attempts: AttemptCookies,
    @Inject(SessionCookie) private readonly session: SessionCookie,
  ) {}

  @Get('start')
  @Public()
  @Responds(303, null, {
    id: 'auth.oidc.start',
    summary: 'Sign in by single sign-on',
    description:
      "Leads a browser to the issuer's page, and from there back to `return_to`, a path of the console, with a session by " +
      'cookie. Returns a redirect; after a failure it is to `/console/sign-in#error=…`.',
    setsCookie: true,
    errors: ['not_found'],
  })
  async getStart(
    @RequestQuery() { return_to: returnTo = CONSOLE_PATH }: StartSignInRequest,
    @Req() request: Request,
    @Res() response: Response,
  ) {
    await this.#lead(response, async () => {
      const attempt = await this.singleSignOn.start(returnTo);
      this.attempts.add(request, response, attempt);
      return attempt.url;
    });
  }

  @Post('start')
  @Public()
  @Responds(200, IssuerPageResponse, {
    id: 'auth.oidc.create',
    summary: 'Begin a sign-in by single sign-on',
    description:
      'Begins a sign-in as `GET /v2/auth/oidc/start` does, for pages whose `return_to` has a secret in its fragment. Returns the ' +
      "issuer's page, which this browser has to open within ten minutes; it leads back to `return_to`, with a session by " +
      'cookie, or to `/console/sign-in#error=…`.',
    setsCookie: true,
    errors: ['not_found'],
  })
  async postStart(
    @RequestBody() { return_to: returnTo = CONSOLE_PATH }: StartSignInRequest,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ) {
    const attempt = await this.singleSignOn.start(returnTo).catch(asUnavailable);
    this.attempts.add(request, response, attempt);
    return { url: attempt.url };
  }

  @Get('callback')
  @Public()
  async getCallback(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.#lead(response, async () => {
      const { search, searchParams } = new URL(request.originalUrl, 'http://callback.invalid');
      const state = searchParams.get('state') ?? '';
      const { returnTo, session } = await this.singleSignOn.complete({
        response: search,
        state,
        sealed: await this.attempts.take(request, response, state),
        client: clientOf(request),
      });
      if (session) this.session.set(response, session.token);
      return returnTo;
    });
  }

  /**
   * Redirects to the URL. The page of the console then calls the API from the same site, and so with the session's cookie,
   * which browsers did not send with this navigation from another site.
   */
  async #lead(response: Response, to: () => Promise<string>): Promise<void> {
    response.setHeader('cache-control', 'no-store');
    response.redirect(303, await to().catch((error: unknown) => this.#failed(error)));
  }

  #failed(error: unknown): string {
    const isUnavailable = error instanceof DomainError && error.code === 'unavailable';
    if (!isUnavailable && !(error instanceof SignInRefused)) throw error;
    const refused = isUnavailable ? new SignInRefused('sso_unavailable', { cause: error }) : error;
    const { reason, returnTo, cause } = refused as SignInRefused;
    if (cause instanceof Error) this.#logger.warn(`${reason}: ${describe(cause)}`);
    const page = new URL(returnTo ?? `${CONSOLE_PATH}/sign-in`, 'http://console.invalid');
    return `${page.pathname}${page.search}#error=${reason}`;
  }
}

/** The error and its causes; the libraries put no secrets into their messages. */
function describe({ message, cause }: Error): string {
  return cause instanceof Error ? `${message}: ${describe(cause)}` : message;
}

@Controller('v2/auth/oidc/link')
export class OidcLinksController {
  constructor(
    @Inject(SingleSignOn) private readonly singleSignOn: SingleSignOn,
    @Inject(identityStore) private readonly identities: IdentityStore,
    @Inject(AttemptCookies) private readonly attempts: AttemptCookies,
  ) {}

  @Get()
  @Responds(200, IdentitiesResponse, {
    id: 'auth.identities.list',
    summary: "List the caller's linked identities",
    description:
      'Lists the identities at the issuer by which the caller can sign in. Returns a page of them, oldest first.',
  })
  async getIdentities(@CurrentActor() { userId }: Actor, @PageQuery() page: PageRequest) {
    return listOf('identities', pageOfWhole(await this.identities.list(userId), page, 'oldest'), identityDto);
  }

  @Post()
  @LimitFailures(PASSWORD_FAILURES)
  @Responds(200, IssuerPageResponse, {
    id: 'auth.identities.create',
    summary: 'Link an identity',
    description:
      "Begins to link an identity to the caller's account. Returns the issuer's page, which this browser has to open " +
      'within ten minutes; it leads back to `return_to`, after a failure with `#error=…`. An account without a password ' +
      'needs a session of the last ten minutes instead of `password`.',
    setsCookie: true,
    errors: ['not_found'],
  })
  async postLink(
    @CurrentActor() actor: Actor,
    @RequestBody() { password = null, return_to: returnTo = CONSOLE_PATH }: LinkIdentityRequest,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ) {
    const attempt = await this.singleSignOn.startLink(actor, { password, returnTo }).catch(asUnavailable);
    this.attempts.add(request, response, attempt);
    return { url: attempt.url };
  }

  @Delete(':id')
  @Responds(200, null, {
    id: 'auth.identities.delete',
    summary: 'Unlink an identity',
    description:
      'Unlinks an identity of the caller. Returns only `status`. The last way into the account is not unlinked: without ' +
      'another identity it needs a password.',
    errors: ['conflict'],
  })
  async deleteIdentity(@CurrentActor() actor: Actor, @PathId('id') identityId: number) {
    await this.singleSignOn.unlink(actor, identityId);
  }
}

function asUnavailable(error: unknown): never {
  if (!(error instanceof SignInRefused)) throw error;
  throw new DomainError('unavailable', 'the issuer of single sign-on is not reachable; try again', { cause: error });
}
