import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import Provider, { type JWK } from 'oidc-provider';
import { freePort } from '#process';

export interface Person {
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly name?: string;
  readonly roles?: string | readonly string[];
}

export const CLIENT = { id: 'x12', secret: 'the secret of the client at the issuer' } as const;

const KEY_ID = 'of the test';

export type TokenClaims = Readonly<Record<string, unknown>>;

export function newKey(): KeyObject {
  return generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
}

/** An issuer of OpenID Connect within this process, which signs in whomever the test wants. */
export class TestIssuer {
  readonly url: string;
  /** Subject of the person who signs in next; `null` for somebody who cancels. */
  signsIn: string | null = null;
  readonly people = new Map<string, Person>();
  /** Changes the claims of the ID tokens, which are signed again: by the issuer's key, or by another one. */
  forge: { readonly claims: (claims: TokenClaims) => TokenClaims; readonly key?: KeyObject } | null = null;
  readonly #server: Server;
  readonly #provider: Provider;
  readonly #key = newKey();

  static async start(callback: string): Promise<TestIssuer> {
    const issuer = new TestIssuer((await freePort())!, callback);
    await new Promise<void>((resolve) => issuer.#server.listen(Number(new URL(issuer.url).port), '127.0.0.1', resolve));
    return issuer;
  }

  private constructor(port: number, callback: string) {
    this.url = `http://127.0.0.1:${port}`;
    this.#provider = new Provider(this.url, {
      clients: [
        {
          client_id: CLIENT.id,
          client_secret: CLIENT.secret,
          redirect_uris: [callback],
          token_endpoint_auth_method: 'client_secret_post',
        },
      ],
      jwks: { keys: [{ ...(this.#key.export({ format: 'jwk' }) as JWK), kid: KEY_ID, alg: 'RS256', use: 'sig' }] },
      cookies: { keys: ['of the test'] },
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'roles'] },
      features: { devInteractions: { enabled: false } },
      findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ sub, ...this.people.get(sub) }) }),
      interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
      loadExistingGrant: async ({ oidc }) => {
        const { clientId } = oidc.client!;
        const given = oidc.session!.grantIdFor(clientId);
        if (given) return oidc.provider.Grant.find(given);
        const grant = new oidc.provider.Grant({ clientId, accountId: oidc.session!.accountId! });
        grant.addOIDCScope('openid email profile');
        await grant.save();
        return grant;
      },
    });
    this.#provider.use(async (context, next) => {
      await next();
      const body = context.body as { id_token?: string } | undefined;
      if (this.forge && body?.id_token) context.body = { ...body, id_token: this.#forged(body.id_token) };
    });
    const serve = this.#provider.callback();
    this.#server = createServer((request, response) => {
      void (request.url!.startsWith('/interaction/') ? this.#finish(request, response) : serve(request, response));
    });
  }

  stop(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    return closed;
  }

  #forged(token: string): string {
    const { claims, key = this.#key } = this.forge!;
    const given = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as TokenClaims;
    const parts = [{ alg: 'RS256', kid: KEY_ID }, claims(given)];
    const signed = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
    return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`;
  }

  #finish(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const accountId = this.signsIn;
    const result = accountId === null ? { error: 'access_denied' } : { login: { accountId, remember: false } };
    return this.#provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
  }
}
