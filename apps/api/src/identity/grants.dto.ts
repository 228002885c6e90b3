import { type Authorization, type AuthorizationRequest, GRANTABLE_SCOPES, type GrantView, type Scope } from '#identity';
import {
  BooleanField,
  ChoicesField,
  IntegerField,
  ListField,
  PageResponse,
  TextField,
  TimeField,
} from '../http/index.ts';

const MAX_TEXT = 3000;

/** The request of an application: the query of the authorization endpoint. */
export class AuthorizationDto {
  @TextField('The application: the URL of its metadata document, or the id that it got when it registered.', {
    example: 'https://assistant.example.com/client.json',
    max: MAX_TEXT,
  })
  client_id!: string;

  @TextField('Where the browser goes with the code.', { example: 'http://127.0.0.1:8787/callback', max: 500 })
  redirect_uri!: string;

  @TextField('`code`.', { example: 'code', max: 50 }) response_type!: string;
  @TextField('SHA-256 of the verifier, in base64url.', {
    example: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    max: 200,
  })
  code_challenge!: string;

  @TextField('`S256`.', { example: 'S256', max: 50 }) code_challenge_method!: string;
  @TextField('Scopes, separated by spaces. Default: all that can be granted.', {
    example: 'read generate',
    max: 200,
    required: false,
  })
  scope?: string;

  @TextField('What the tokens are for: the address of MCP.', {
    example: 'https://x12.example.com/mcp',
    max: 500,
    required: false,
  })
  resource?: string;
}

export class CreateGrantRequest extends AuthorizationDto {
  @TextField('Returned to the application as it is.', { example: 'af0ifjsldkj', max: 1000, required: false })
  state?: string;
  @BooleanField('True to grant it, false to refuse it.', { example: true }) approve!: boolean;
}

export function authorizationRequestOf(asked: AuthorizationDto): AuthorizationRequest {
  return {
    responseType: asked.response_type,
    redirectUri: asked.redirect_uri,
    codeChallenge: asked.code_challenge,
    codeChallengeMethod: asked.code_challenge_method,
    scope: asked.scope ?? null,
    resource: asked.resource ?? null,
  };
}

export class ProposalResponse {
  @TextField('The name that the application gives itself: anyone may take it.', { example: 'Assistant' }) name!: string;
  @TextField('Host of its metadata document; null for an application that has registered.', {
    example: 'assistant.example.com',
    nullable: true,
  })
  client_host!: string | null;

  @TextField('Where the code goes: a host, or the scheme of a program on this machine.', { example: '127.0.0.1:8787' })
  redirect_host!: string;

  @ChoicesField(GRANTABLE_SCOPES, 'What it may do.', { example: ['read', 'generate'] }) scopes!: readonly Scope[];
}

export function proposalResponse({ client, redirectUri, scopes }: Authorization): ProposalResponse {
  return { name: client.name, ...hostsOf(client.id, redirectUri), scopes };
}

function hostsOf(clientId: string, redirectUri: string) {
  const redirect_host = hostOf(redirectUri) ?? new URL(redirectUri).protocol.slice(0, -1);
  return { client_host: hostOf(clientId), redirect_host };
}

const hostOf = (text: string): string | null => (/^https?:/.test(text) ? new URL(text).host : null);

export class RedirectResponse {
  @TextField('Where the browser has to go.', { example: 'http://127.0.0.1:8787/callback?code=…&iss=…' })
  redirect_to!: string;
}

export class GrantDto {
  @IntegerField('Identifier of the grant, by which it is ended.', { example: 9 }) id!: number;
  @TextField('The name that the application gives itself.', { example: 'Assistant' }) name!: string;
  @TextField('Host of its metadata document; null for one that has registered.', {
    example: 'assistant.example.com',
    nullable: true,
  })
  client_host!: string | null;

  @TextField('Where its code went.', { example: '127.0.0.1:8787' }) redirect_host!: string;
  @ChoicesField(GRANTABLE_SCOPES, 'What it may do.', { example: ['read', 'generate'] }) scopes!: readonly Scope[];
  @TimeField('When it was granted.') created_at!: Date;
  @TimeField('When it was last used, to the minute; null for never.', { nullable: true }) last_used_at!: Date | null;
}

export class GrantsResponse extends PageResponse {
  @ListField(() => GrantDto, 'Applications with a grant of the caller, newest first.') grants!: GrantDto[];
}

export function grantDto({ id, clientId, name, redirectUri, scopes, createdAt, lastUsedAt }: GrantView): GrantDto {
  const times = { created_at: createdAt, last_used_at: lastUsedAt };
  return { id, name, ...hostsOf(clientId, redirectUri), scopes, ...times };
}
