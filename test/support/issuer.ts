import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import Provider from 'oidc-provider';
import { freePort } from '#process';

export interface Person {
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly name?: string;
}

export const CLIENT = { id: 'x12', secret: 'the secret of the client at the issuer' } as const;

/** An issuer of OpenID Connect within this process, which signs in whomever the test wants. */
export class TestIssuer {
  readonly url: string;
  /** Subject of the person who signs in next; `null` for somebody who cancels. */
  signsIn: string | null = null;
  readonly people = new Map<string, Person>();
  readonly #server: Server;
  readonly #provider: Provider;

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
      cookies: { keys: ['of the test'] },
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
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
    const serve = this.#provider.callback();
    this.#server = createServer((request, response) => {
      void (request.url!.startsWith('/interaction/') ? this.#finish(request, response) : serve(request, response));
    });
  }

  stop(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  #finish(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const accountId = this.signsIn;
    const result = accountId === null ? { error: 'access_denied' } : { login: { accountId, remember: false } };
    return this.#provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
  }
}
