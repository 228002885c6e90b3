import { METADATA_RULES, type WorkspaceUrls, type UploadRules } from '#files';
import {
  MAX_MONTHLY_CREDITS,
  MAX_NAME_LENGTH,
  MAX_PASSWORD_LENGTH,
  MAX_TOKEN_DAYS,
  MIN_PASSWORD_LENGTH,
  SCOPES,
  TOKEN_KINDS,
  type Actor,
  type IssuedToken,
  type Profile,
  type Scope,
  type Session,
  type Token,
  type TokenKind,
} from '#identity';
import { ROLES, type Role } from '#kernel';
import {
  BooleanField,
  ChoiceField,
  ChoicesField,
  CustomerField,
  dtoOf,
  EmailField,
  IntegerField,
  ListField,
  ObjectField,
  PageResponse,
  TextField,
  TimeField,
  UrlField,
} from '../http/index.ts';

const SECRET = 'x12_kL9v3cYpQ0mTz7wXb2sRj5uNf8hDg1aEoVi4yWqBxZM';

export class SignUpRequest {
  @EmailField('E-mail address; its case does not matter.', { example: 'ada@example.com' }) email!: string;

  @TextField('Password.', {
    example: 'correct horse battery staple',
    min: MIN_PASSWORD_LENGTH,
    max: MAX_PASSWORD_LENGTH,
    format: 'password',
  })
  password!: string;

  @TextField('Name.', { example: 'Ada', max: MAX_NAME_LENGTH, required: false, nullable: true }) name?: string | null;
}

/** Either `email` and `password`, or `challenge` and `code`. */
export class LogInRequest {
  @EmailField('E-mail address of the account; with `password`.', { example: 'ada@example.com', required: false })
  email?: string;

  @TextField('Password of the account.', {
    example: 'correct horse battery staple',
    // A refusal must not reveal how long passwords may be.
    max: 10_000,
    required: false,
    format: 'password',
  })
  password?: string;

  @TextField('The challenge of a response `second_factor_required`, instead of e-mail and password; with `code`.', {
    max: 100,
    required: false,
    format: 'password',
  })
  challenge?: string;

  @TextField('Code of the authenticator app, or a recovery code.', { example: '492039', max: 100, required: false })
  code?: string;
}

/** Either as for log-in, or `token`, or `link`. */
export class OpenSessionRequest extends LogInRequest {
  @TextField('An API token, instead of e-mail and password. The token stays valid when the session ends.', {
    required: false,
    format: 'password',
  })
  token?: string;

  @TextField('The secret of a sign-in link, instead of e-mail and password. It works once.', {
    required: false,
    format: 'password',
  })
  link?: string;
}

export class CreateTokenRequest {
  @TextField('Name of the token.', { example: 'render farm', max: MAX_NAME_LENGTH }) name!: string;

  @IntegerField(
    'Days after which the token expires. Default: it is valid until it is revoked, or ends with the token that made it.',
    { example: 365, min: 1, max: MAX_TOKEN_DAYS, required: false, nullable: true },
  )
  expires_in_days?: number | null;

  @ChoicesField(
    SCOPES,
    'What the token may be used for: a list in JSON, separated by commas in a form. `read` covers every read, save the ' +
      'reads of `account`. Default: everything, or what the token that makes it may be used for.',
    { example: ['read', 'generate'], required: false },
  )
  scopes?: readonly Scope[];

  @IntegerField(
    'Credits that may be spent in a calendar month (UTC) with the token and with what is made with it. Default: no limit, ' +
      'or the limit of the token that makes it.',
    { example: 500, min: 0, max: MAX_MONTHLY_CREDITS, required: false, nullable: true },
  )
  monthly_credits?: number | null;

  @CustomerField(
    'The customer that each call with the token is made for. Default: none, or the customer of the token that makes it.',
    { required: false, nullable: true },
  )
  customer?: string | null;
}

export class UserDto {
  @IntegerField('Identifier of the user.', { example: 7 }) id!: number;
  @TextField('E-mail address, in lower case.', { example: 'ada@example.com' }) email!: string;
  @TextField('Name, if the user gave one.', { example: 'Ada', nullable: true }) name!: string | null;
  @UrlField('URL of the picture, if there is one.', {
    example: 'https://media.example.com/files/kL9v3cYpQ0mT/me.png',
    nullable: true,
  })
  avatar!: string | null;

  @BooleanField('Whether the user has proved that the address is theirs.', { example: true }) email_verified!: boolean;
  @BooleanField('Whether the account has a password.', { example: true }) has_password!: boolean;
  @BooleanField('Whether log-in needs a code, too.', { example: false }) two_factor!: boolean;
  @BooleanField('Whether the user may operate the service.', { example: false }) is_operator!: boolean;
}

/** The picture may be a file of another workspace than that of the caller. */
export async function userDto(profile: Profile, urls: Pick<WorkspaceUrls, 'ofFile'>): Promise<UserDto> {
  return dtoOf(UserDto, { ...profile, avatar: profile.avatar === null ? null : await urls.ofFile(profile.avatar) });
}

export class WorkspaceDto {
  @IntegerField('Identifier of the workspace.', { example: 7 }) id!: number;
  @TextField('Identifier of its plan.', { example: 'free' }) plan!: string;
  @BooleanField("True for a team, false for the user's own workspace.", { example: false }) is_team!: boolean;
  @BooleanField('Whether the operator has suspended it: it can be read, and nothing starts or changes.', {
    example: false,
  })
  suspended!: boolean;
}

export class MeResponse {
  @ObjectField(() => UserDto, 'The user of the token.') user!: UserDto;

  @ObjectField(() => WorkspaceDto, 'The workspace in which the user acts: the team, else the personal workspace.')
  workspace!: WorkspaceDto;

  @ChoiceField(ROLES, 'Role of the user in this workspace.', { example: 'owner' }) role!: Role;

  @ChoiceField(METADATA_RULES, 'Whether uploaded pictures keep their metadata, such as the GPS position.', {
    example: 'keep',
  })
  upload_metadata!: UploadRules['metadata'];
}

export async function meResponse(
  profile: Profile,
  actor: Actor,
  urls: Pick<WorkspaceUrls, 'ofFile'>,
  uploads: Pick<UploadRules, 'metadata'>,
): Promise<MeResponse> {
  const { workspaceId, plan, isTeam, isSuspended, role } = actor;
  return {
    user: await userDto(profile, urls),
    workspace: { id: workspaceId, plan, is_team: isTeam, suspended: isSuspended },
    role,
    upload_metadata: uploads.metadata,
  };
}

export class SessionResponse {
  @ObjectField(() => UserDto, 'The user who signed up or logged in.') user!: UserDto;

  @TextField('A new token, for the header `Authorization: Bearer …`. It is shown only once.', { example: SECRET })
  token!: string;

  @IntegerField('Identifier of the token: revoke it to log out.', { example: 3 }) token_id!: number;
  @TimeField('When the token expires; null for never.', { nullable: true }) token_expires_at!: Date | null;
}

export async function sessionResponse(
  { user, token }: Session,
  urls: Pick<WorkspaceUrls, 'ofFile'>,
): Promise<SessionResponse> {
  const { secret, id, expiresAt } = token;
  return { user: await userDto(user, urls), token: secret, token_id: id, token_expires_at: expiresAt };
}

/** A session by cookie: without the token. */
export class BrowserSessionResponse {
  @ObjectField(() => UserDto, 'The user of the session.') user!: UserDto;

  @IntegerField("Identifier of the session's token in the list of tokens.", { example: 3 }) token_id!: number;
  @TimeField('When the session ends; null for never.', { nullable: true }) token_expires_at!: Date | null;
}

export async function browserSessionResponse(
  session: Session,
  urls: Pick<WorkspaceUrls, 'ofFile'>,
): Promise<BrowserSessionResponse> {
  const { token: _secret, ...response } = await sessionResponse(session, urls);
  return response;
}

/** A token without its secret. */
export class TokenDto {
  @IntegerField('Identifier of the token, by which it is revoked.', { example: 3 }) id!: number;
  @TextField('Its name.', { example: 'render farm' }) name!: string;
  @ChoiceField(
    TOKEN_KINDS,
    'Created by name, issued by log-in or sign-up, or the token of a session opened with another token.',
    { example: 'api' },
  )
  kind!: TokenKind;

  @TimeField('When it was created.') created_at!: Date;
  @TimeField('When it was last used, to the minute; null for never.', { nullable: true }) last_used_at!: Date | null;
  @TimeField('When it expires; null for never.', { nullable: true }) expires_at!: Date | null;
  @ChoicesField(SCOPES, 'What it may be used for; null for everything.', { example: ['read'], nullable: true })
  scopes!: readonly Scope[] | null;

  @IntegerField('Credits that may be spent with it in a month; null for no limit.', { example: 500, nullable: true })
  monthly_credits!: number | null;

  @IntegerField('Credits reserved or spent of these in this month; null without a limit.', {
    example: 20,
    nullable: true,
  })
  used_credits!: number | null;

  @TextField('The customer that its calls are made for; null for any.', { example: null, nullable: true })
  customer!: string | null;

  @BooleanField('Whether it is the token, or the session, of this request.', { example: false }) is_current!: boolean;
}

/** @param used credits of budgets by token id */
export function tokenDto(
  token: Token,
  { tokenId }: Pick<Actor, 'tokenId'>,
  used: ReadonlyMap<number, number>,
): TokenDto {
  const usedCredits = token.monthlyCredits === null ? null : (used.get(token.id) ?? 0);
  return dtoOf(TokenDto, { ...token, usedCredits, isCurrent: token.id === tokenId });
}

export class TokensResponse extends PageResponse {
  @ListField(() => TokenDto, "The caller's tokens, newest first.") tokens!: TokenDto[];
}

export class NewTokenResponse extends TokenDto {
  @TextField('The token, for the header `Authorization: Bearer …`. It is shown only once.', { example: SECRET })
  token!: string;
}

export function newTokenResponse(issued: IssuedToken, actor: Pick<Actor, 'tokenId'>): NewTokenResponse {
  return { token: issued.secret, ...tokenDto(issued, actor, new Map()) };
}
