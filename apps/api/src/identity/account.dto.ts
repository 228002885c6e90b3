import bowser from 'bowser';
import type { Metadata } from '#kernel';
import { MAX_NAME_LENGTH, MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH, type Actor, type OpenSession } from '#identity';
import {
  BooleanField,
  dtoOf,
  EmailField,
  IntegerField,
  JsonField,
  ListField,
  MetadataField,
  ObjectField,
  PageResponse,
  TextField,
  TimeField,
  UrlField,
} from '../http/index.ts';
import { UserDto } from './identity.dto.ts';

/** A refusal must not reveal how long passwords may be. */
export const TYPED_PASSWORD = { max: 10_000, required: false, nullable: true, format: 'password' } as const;

const NEW_PASSWORD = {
  example: 'correct horse battery staple',
  min: MIN_PASSWORD_LENGTH,
  max: MAX_PASSWORD_LENGTH,
  format: 'password',
} as const;

const MAILED_TOKEN = 'The token of the mail.';
const A_MAILED_TOKEN = { example: 'x12_kL9v3cYpQ0mTz7wXb2sRj5uNf8hDg1aEoVi4yWqBxZM', max: 100, format: 'password' };

export class UpdateProfileRequest {
  @TextField('New name; null removes it.', { example: 'Ada', max: MAX_NAME_LENGTH, required: false, nullable: true })
  name?: string | null;

  @UrlField('Stored URL of a picture of the workspace; null removes the picture.', {
    example: 'https://media.example.com/files/kL9v3cYpQ0mT/me.png',
    required: false,
    nullable: true,
  })
  avatar?: string | null;
}

const EXAMPLE = { tiles: 'large' };

export class ChangePreferencesRequest {
  @MetadataField('Settings to keep', { example: EXAMPLE }) preferences!: Metadata;
}

export class PreferencesResponse {
  @JsonField('All settings that are kept, by name.', {
    example: EXAMPLE,
    schema: { type: 'object', additionalProperties: { type: 'string' } },
  })
  preferences!: Metadata;
}

export class ChangePasswordRequest {
  @TextField('Present password; required where the account has one.', TYPED_PASSWORD) current?: string | null;
  @TextField('New password.', NEW_PASSWORD) password!: string;
}

export class ForgotPasswordRequest {
  @EmailField('E-mail address of the account.', { example: 'ada@example.com' }) email!: string;
}

export class ResetPasswordRequest {
  @TextField(MAILED_TOKEN, A_MAILED_TOKEN) token!: string;
  @TextField('New password.', NEW_PASSWORD) password!: string;
}

export class ChangeEmailRequest {
  @EmailField('New e-mail address.', { example: 'ada@lovelace.example' }) email!: string;
  @TextField('Password of the account; required where it has one.', TYPED_PASSWORD) password?: string | null;
}

export class DeleteAccountRequest {
  @EmailField('E-mail address of the account, typed again.', { example: 'ada@example.com' }) email!: string;
  @TextField('Password of the account; required where it has one.', TYPED_PASSWORD) password?: string | null;
}

export class ConfirmEmailRequest {
  @TextField(MAILED_TOKEN, A_MAILED_TOKEN) token!: string;
}

export class UserResponse {
  @ObjectField(() => UserDto, 'The user.') user!: UserDto;
}

export class SessionDto {
  @IntegerField('Identifier of the session, by which it is ended.', { example: 3 }) id!: number;
  @TimeField('When the session was opened.') created_at!: Date;
  @TimeField('When it was last used, to the minute; null for never.', { nullable: true }) last_used_at!: Date | null;
  @TextField('IP address that opened it; null for sessions of earlier versions.', {
    example: '203.0.113.7',
    nullable: true,
  })
  address!: string | null;

  @TextField('Browser and system that opened it, as they call themselves; null where unknown.', {
    example: 'Firefox 140 on Linux',
    nullable: true,
  })
  browser!: string | null;

  @BooleanField('Whether it is the session of this request.', { example: true }) is_current!: boolean;
}

export function sessionDto(session: OpenSession, { tokenId }: Actor): SessionDto {
  return dtoOf(SessionDto, { ...session, browser: browserOf(session.userAgent), isCurrent: session.id === tokenId });
}

/** Such as "Firefox 140 on Linux", of a `User-Agent`; `null` when it names no browser. */
export function browserOf(userAgent: string | null): string | null {
  if (!userAgent) return null;
  const { browser, os } = bowser.parse(userAgent);
  if (!browser.name) return null;
  const name = [browser.name, browser.version?.split('.')[0]].filter(Boolean).join(' ');
  return os.name ? `${name} on ${os.name}` : name;
}

export class SessionsResponse extends PageResponse {
  @ListField(() => SessionDto, "The caller's sessions, newest first.") sessions!: SessionDto[];
}
