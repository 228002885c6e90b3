import {
  type ArgumentsHost,
  Catch,
  Controller,
  type ExceptionFilter,
  Get,
  HttpCode,
  Inject,
  Module,
  Res,
  UseFilters,
} from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import type { Settings } from '#config';
import { GRANTABLE_SCOPES, Grants, InvalidGrant, registerClient, type GrantedTokens } from '#identity';
import { DomainError, invalidField, notFound } from '#kernel';
import { IdentityModule, mcpResource, settings } from '#wiring';
import {
  type ApiRequest,
  BodyFields,
  CurrentRequest,
  type FieldValues,
  Post,
  Public,
  queryOf,
  statusOf,
} from '../http/index.ts';

/** Errors as OAuth has them (RFC 6749, 5.2; RFC 7591, 3.2.2). Others are those of the API. */
@Catch(DomainError, InvalidGrant)
export class OAuthErrors implements ExceptionFilter {
  catch(error: DomainError | InvalidGrant, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<Response>();
    const status = error instanceof InvalidGrant ? 400 : statusOf(error.code);
    response.status(status).json({ error: codeOf(error, status), error_description: error.message });
  }
}

const CODES: Readonly<Record<string, string>> = {
  client_id: 'invalid_client',
  grant_type: 'unsupported_grant_type',
  resource: 'invalid_target',
  redirect_uris: 'invalid_redirect_uri',
  name: 'invalid_client_metadata',
};

function codeOf(error: DomainError | InvalidGrant, status: number): string {
  if (error instanceof InvalidGrant) return 'invalid_grant';
  // Clients give up their tokens for other errors.
  if (status >= 500) return 'temporarily_unavailable';
  const [field = ''] = Object.keys(error.fields ?? {});
  return CODES[field] ?? 'invalid_request';
}

/** The authorization server of MCP: OAuth 2.1 for public clients. Users grant in the console. */
@ApiExcludeController()
@Public()
@UseFilters(OAuthErrors)
@Controller()
export class OAuthController {
  readonly #issuer: string;

  constructor(
    @Inject(Grants) private readonly grants: Grants,
    @Inject(mcpResource) private readonly resource: string,
    @Inject(settings) private readonly settings: Settings,
  ) {
    this.#issuer = settings.http.publicUrl;
  }

  /** Protected resource metadata (RFC 9728). */
  @Get(['.well-known/oauth-protected-resource', '.well-known/oauth-protected-resource/mcp'])
  getResource() {
    return {
      resource: this.resource,
      authorization_servers: [this.#issuer],
      scopes_supported: GRANTABLE_SCOPES,
      bearer_methods_supported: ['header'],
      resource_name: 'x12',
    };
  }

  /** Authorization server metadata (RFC 8414). */
  @Get('.well-known/oauth-authorization-server')
  getServer() {
    return {
      issuer: this.#issuer,
      authorization_endpoint: `${this.#issuer}/oauth/authorize`,
      token_endpoint: `${this.#issuer}/oauth/token`,
      registration_endpoint: `${this.#issuer}/oauth/register`,
      revocation_endpoint: `${this.#issuer}/oauth/revoke`,
      scopes_supported: GRANTABLE_SCOPES,
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
      revocation_endpoint_auth_methods_supported: ['none'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
    };
  }

  /** The console asks the user; it checks the request again, and nothing here leads to another address. */
  @Get('oauth/authorize')
  getAuthorize(@CurrentRequest() request: ApiRequest, @Res() response: Response): void {
    if (!this.settings.console.enabled) throw notFound('endpoint');
    response.redirect(303, `/console/authorize?${queryOf(request)}`);
  }

  @Post('oauth/token')
  @HttpCode(200)
  async postToken(@BodyFields() fields: FieldValues) {
    const { resource } = fields;
    if (resource !== undefined && resource !== this.resource)
      throw invalidField('resource', `must be ${this.resource}`);
    const clientId = textOf(fields, 'client_id');
    if (fields.grant_type === 'authorization_code') {
      const code = { code: textOf(fields, 'code'), redirectUri: textOf(fields, 'redirect_uri') };
      return tokensResponse(await this.grants.redeem({ ...code, clientId, verifier: textOf(fields, 'code_verifier') }));
    }
    if (fields.grant_type === 'refresh_token') {
      return tokensResponse(await this.grants.refresh({ clientId, refreshToken: textOf(fields, 'refresh_token') }));
    }
    throw invalidField('grant_type', 'must be authorization_code or refresh_token');
  }

  /** RFC 7009, for refresh tokens. */
  @Post('oauth/revoke')
  @HttpCode(200)
  async postRevoke(@BodyFields() fields: FieldValues): Promise<object> {
    await this.grants.revoke(textOf(fields, 'token'));
    return {};
  }

  /** Dynamic registration (RFC 7591), for clients without a metadata document. */
  @Post('oauth/register')
  @HttpCode(201)
  postRegister(@BodyFields() { client_name, redirect_uris }: FieldValues) {
    const { id, name, redirectUris } = registerClient(client_name, redirect_uris);
    return {
      client_id: id,
      client_name: name,
      redirect_uris: redirectUris,
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    };
  }
}

function textOf(fields: FieldValues, name: string): string {
  const value = fields[name];
  if (typeof value !== 'string' || value === '') throw invalidField(name, 'is required');
  return value;
}

function tokensResponse({ accessToken, refreshToken, expiresInSeconds, scopes }: GrantedTokens) {
  const lifetime = { token_type: 'Bearer', expires_in: expiresInSeconds };
  return { access_token: accessToken, ...lifetime, refresh_token: refreshToken, scope: scopes.join(' ') };
}

@Module({ imports: [IdentityModule], controllers: [OAuthController] })
export class OAuthApiModule {}
