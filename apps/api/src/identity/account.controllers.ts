import { Controller, Delete, Get, Inject, Put, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Erasures } from '#erasure';
import { WorkspaceUrls } from '#files';
import { PasswordChanges, Preferences, Profiles, Sessions, type Actor, type SessionStore, Tokens } from '#identity';
import type { Clock, PageRequest } from '#kernel';
import { clock, sessionStore } from '#wiring';
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
  Responds,
  SessionCookie,
} from '../http/index.ts';
import {
  ChangeEmailRequest,
  ChangePasswordRequest,
  ChangePreferencesRequest,
  ConfirmEmailRequest,
  DeleteAccountRequest,
  ForgotPasswordRequest,
  PreferencesResponse,
  ResetPasswordRequest,
  sessionDto,
  SessionsResponse,
  UpdateProfileRequest,
  UserResponse,
} from './account.dto.ts';
import { userDto } from './identity.dto.ts';

/** Wrong passwords of a signed-in caller. */
export const PASSWORD_FAILURES = { name: 'reauthentication', perAddress: 30, perValue: 10 };
/** Mails, whether or not there is an account: nobody's mailbox is flooded. */
const MAILS = { name: 'account-mails', perAddress: 30, field: 'email', perValue: 5, counts: 'all' } as const;
const OWN_MAILS = { name: 'own-mails', perAddress: 30, perValue: 5, counts: 'all' } as const;
const MAILED_TOKENS = { name: 'mailed-tokens', perAddress: 30, field: 'token', perValue: 10 };

/** The caller's own account. */
@Controller('v2/auth')
export class AccountController {
  constructor(
    @Inject(Profiles) private readonly profiles: Profiles,
    @Inject(Preferences) private readonly preferences: Preferences,
    @Inject(PasswordChanges) private readonly passwords: PasswordChanges,
    @Inject(Erasures) private readonly erasures: Erasures,
    @Inject(SessionCookie) private readonly cookie: SessionCookie,
    @Inject(WorkspaceUrls) private readonly urls: WorkspaceUrls,
  ) {}

  @Put('me')
  @Responds(200, UserResponse, {
    id: 'auth.update',
    summary: 'Change name and picture',
    description: 'Changes the name and the picture of the caller; absent fields stay as they are. Returns the user.',
    errors: ['not_found', 'file_expired'],
  })
  async putMe(@CurrentActor() actor: Actor, @RequestBody() body: UpdateProfileRequest) {
    return { user: await userDto(await this.profiles.update(actor, body), this.urls) };
  }

  @Get('preferences')
  @Responds(200, PreferencesResponse, {
    id: 'auth.preferences.get',
    summary: 'Read preferences',
    description: 'Reads the settings that clients keep for the caller. Returns them by name.',
  })
  async getPreferences(@CurrentActor() { userId }: Actor) {
    return { preferences: await this.preferences.read(userId) };
  }

  @Put('preferences')
  @Responds(200, PreferencesResponse, {
    id: 'auth.preferences.update',
    summary: 'Change preferences',
    description:
      'Keeps settings of a client for the caller, such as the size of tiles: given ones replace those of the same name, and ' +
      'an empty text removes one. Returns all of them. The service does not read them.',
  })
  async putPreferences(@CurrentActor() { userId }: Actor, @RequestBody() { preferences }: ChangePreferencesRequest) {
    return { preferences: await this.preferences.change(userId, preferences) };
  }

  @Delete('me')
  @LimitFailures(PASSWORD_FAILURES)
  @Responds(202, null, {
    id: 'auth.delete',
    summary: 'Delete the account',
    description:
      "Deletes the caller's account for good, with their personal workspace and everything in it. Returns only " +
      '`status`. All tokens and sessions end at once, and the rest goes within minutes. What the caller made in a ' +
      'team stays there without their address; a team without another member goes too. The owner of a team with ' +
      'other members gets 409 `transfer_ownership_first`, and so does, with `conflict`, the last operator of a service ' +
      'without ADMIN_TOKEN. An account without a password needs a session of the last ten minutes instead of `password`.',
    errors: ['transfer_ownership_first', 'conflict'],
    setsCookie: true,
  })
  async deleteMe(
    @CurrentActor() actor: Actor,
    @RequestBody() { email, password = null }: DeleteAccountRequest,
    @Res({ passthrough: true }) response: Response,
  ) {
    await this.erasures.request(actor, { email, password });
    this.cookie.clear(response);
  }

  @Put('password')
  @LimitFailures(PASSWORD_FAILURES)
  @Responds(200, UserResponse, {
    id: 'auth.password.update',
    summary: 'Change the password',
    description:
      'Changes the password of the caller. Returns the user. All other sessions end; API tokens stay valid. An ' +
      'account without a password needs a session of the last ten minutes instead of `current`.',
    errors: ['conflict'],
  })
  async putPassword(@CurrentActor() actor: Actor, @RequestBody() body: ChangePasswordRequest) {
    const { current = null, password } = body;
    return { user: await userDto(await this.passwords.change(actor, { current, password }), this.urls) };
  }

  @Post('password/forgot')
  @Public()
  @LimitFailures(MAILS)
  @Responds(202, null, {
    id: 'auth.passwordResets.create',
    summary: 'Ask for a new password',
    description:
      'Mails a token for a new password, which works once and for an hour, if an account has this e-mail. Returns ' +
      'only `status`, the same for every address. A second request replaces the first.',
  })
  async postForgot(@RequestBody() { email }: ForgotPasswordRequest) {
    await this.passwords.requestReset(email);
  }

  @Post('password/reset')
  @Public()
  @LimitFailures(MAILED_TOKENS)
  @Responds(200, null, {
    id: 'auth.passwordResets.confirm',
    summary: 'Set a new password',
    description:
      'Sets a new password by the token of a mail. Returns only `status`. All sessions of the user end; two-factor ' +
      'authentication stays on. Where the address was never proved before, the account is taken over: two-factor, API ' +
      'tokens, identities and share links made before end too.',
  })
  async postReset(@RequestBody() body: ResetPasswordRequest) {
    await this.passwords.reset(body);
  }

  @Post('email')
  @LimitFailures(OWN_MAILS)
  @Responds(202, null, {
    id: 'auth.email.update',
    summary: 'Change the e-mail address',
    description:
      'Mails a token to the new address, which works once and for a day, and a notice to the present address. ' +
      'Returns only `status`. The present address holds until the token is used. An account without a password needs ' +
      'a session of the last ten minutes instead of `password`.',
  })
  async postEmail(@CurrentActor() actor: Actor, @RequestBody() body: ChangeEmailRequest) {
    await this.profiles.requestEmail(actor, { email: body.email, password: body.password ?? null });
  }

  @Post('email/confirm')
  @Public()
  @LimitFailures(MAILED_TOKENS)
  @Responds(200, UserResponse, {
    id: 'auth.email.confirm',
    summary: 'Confirm an e-mail address',
    description: 'Verifies an address by the token of a mail, after sign-up or a change. Returns the user.',
    errors: ['user_exists'],
  })
  async postConfirm(@RequestBody() { token }: ConfirmEmailRequest) {
    return { user: await userDto(await this.profiles.confirmEmail(token), this.urls) };
  }

  @Post('email/resend')
  @LimitFailures(OWN_MAILS)
  @Responds(202, null, {
    id: 'auth.email.resend',
    summary: 'Mail the confirmation again',
    description: "Mails a new token for the caller's present address. Returns only `status`. Earlier tokens end.",
  })
  async postResend(@CurrentActor() actor: Actor) {
    await this.profiles.resendConfirmation(actor);
  }
}

@Controller('v2/auth/sessions')
export class SessionsController {
  constructor(
    @Inject(sessionStore) private readonly store: SessionStore,
    @Inject(Sessions) private readonly sessions: Sessions,
    @Inject(Tokens) private readonly tokens: Tokens,
    @Inject(clock) private readonly clock: Clock,
  ) {}

  @Get()
  @Responds(200, SessionsResponse, {
    id: 'auth.sessions.list',
    summary: "List the caller's sessions",
    description:
      'Lists the sessions that have not expired; for a token with scopes, those made with it. Returns a ' +
      'page of them, newest first.',
  })
  async getSessions(@CurrentActor() actor: Actor, @PageQuery() page: PageRequest) {
    const sessions = await this.store.list(actor.userId, this.clock.now(), await this.tokens.reachOf(actor));
    return listOf('sessions', pageOfWhole(sessions, page), (session) => sessionDto(session, actor));
  }

  @Delete()
  @Responds(200, null, {
    id: 'auth.sessions.deleteMany',
    summary: 'End all other sessions',
    description:
      'Ends all sessions of the caller but that of the request. Returns only `status`. API tokens stay valid.',
  })
  async deleteSessions(@CurrentActor() actor: Actor) {
    await this.sessions.endOthers(actor);
  }

  @Delete(':id')
  @Responds(200, null, {
    id: 'auth.sessions.delete',
    summary: 'End a session',
    description: 'Ends a session of the caller, which may be that of the request. Returns only `status`.',
  })
  async deleteSession(@CurrentActor() actor: Actor, @PathId('id') sessionId: number) {
    await this.sessions.end(actor, sessionId);
  }
}
