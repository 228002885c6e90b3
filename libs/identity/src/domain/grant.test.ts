import { describe, expect, it } from '@jest/globals';
import {
  authorizationOf,
  documentClient,
  isDocumentId,
  isRedirectUri,
  matchesRedirect,
  refusalOfCode,
  registerClient,
  registeredClient,
  type Grant,
} from './grant.ts';

const RESOURCE = 'https://x12.example.com/mcp';
const CALLBACK = 'https://assistant.example.com/callback';
const client = registerClient('Assistant', [CALLBACK]);
const request = {
  responseType: 'code',
  redirectUri: CALLBACK,
  codeChallenge: 'c'.repeat(43),
  codeChallengeMethod: 'S256',
  scope: 'read generate',
  resource: RESOURCE,
};

describe('an authorization', () => {
  it('has the scopes that are asked for, in one order', () =>
    expect(authorizationOf(client, { ...request, scope: 'generate read' }, RESOURCE).scopes).toEqual([
      'read',
      'generate',
    ]));

  it('has all scopes that can be granted when none are asked for, and never those of the account', () => {
    const { scopes } = authorizationOf(client, { ...request, scope: null, resource: null }, RESOURCE);
    expect(scopes).toEqual(['read', 'upload', 'generate', 'personas', 'boards']);
  });

  it.each([
    ['of another response type', { responseType: 'token' }, 'response_type must be code'],
    ['without a challenge', { codeChallenge: '' }, 'code_challenge must be'],
    ['with a short challenge', { codeChallenge: 'c'.repeat(42) }, 'code_challenge must be'],
    ['with a plain challenge', { codeChallengeMethod: 'plain' }, 'code_challenge_method must be S256'],
    ['for another resource', { resource: 'https://other.example.com/mcp' }, 'resource must be'],
    ['for a scope of the account', { scope: 'read account' }, 'scope must be some of'],
    ['for an unknown scope', { scope: 'everything' }, 'scope must be some of'],
    ['that leads to another address', { redirectUri: `${CALLBACK}/more` }, 'redirect_uri is not one'],
    ['that leads to another host', { redirectUri: 'https://evil.example.com/callback' }, 'redirect_uri is not one'],
  ])('%s is refused', (_, change, message) =>
    expect(() => authorizationOf(client, { ...request, ...change }, RESOURCE)).toThrow(message),
  );
});

describe('a redirect URI', () => {
  it.each([
    CALLBACK,
    'http://127.0.0.1:8787/cb',
    'http://localhost/cb',
    'http://[::1]:1/cb',
    'cursor://a/b',
    'com.example.app:/cb',
  ])('may be %s', (uri) => expect(isRedirectUri(uri)).toBe(true));

  it.each([
    'http://assistant.example.com/callback',
    'http://localhost.example.com/cb',
    'http://127.0.0.1@example.com/cb',
    'javascript:alert(1)',
    'data:text/html,hello',
    'file:///etc/passwd',
    'https://assistant.example.com/callback#fragment',
    'https://user:password@example.com/',
    '/callback',
    `https://example.com/${'a'.repeat(500)}`,
  ])('may not be %s', (uri) => expect(isRedirectUri(uri)).toBe(false));

  it("matches with any port on the user's machine alone", () => {
    const registered = ['http://127.0.0.1:1000/cb', 'https://example.com:444/cb'];
    expect(matchesRedirect(registered, 'http://127.0.0.1:2000/cb')).toBe(true);
    expect(matchesRedirect(registered, 'http://127.0.0.1/cb')).toBe(true);
    expect(matchesRedirect(registered, 'http://localhost:1000/cb')).toBe(false);
    expect(matchesRedirect(registered, 'http://127.0.0.1:1000/cb?more')).toBe(false);
    expect(matchesRedirect(registered, 'https://example.com:445/cb')).toBe(false);
  });
});

describe('an application', () => {
  it('is what it has registered as', () => expect(registeredClient(client.id)).toEqual(client));

  it.each(['', 'registered.', 'registered.bm8', `registered.${'a'.repeat(3000)}`, 'other', 'registered.WzEsMl0'])(
    'has no id like %j',
    (id) => expect(() => registeredClient(id)).toThrow(),
  );

  it('registers with a name to be seen, and with redirect URIs', () => {
    expect(registerClient(undefined, [CALLBACK]).name).toBe('An application');
    expect(() => registerClient('\u202eevil', [CALLBACK])).toThrow('name must have');
    expect(() => registerClient('Assistant', [])).toThrow('redirect_uris must be');
    expect(() => registerClient('Assistant', ['javascript:alert(1)'])).toThrow('redirect_uris must be');
    expect(() =>
      registerClient(
        'Assistant',
        Array.from({ length: 11 }, () => CALLBACK),
      ),
    ).toThrow('redirect_uris');
  });

  it.each([
    ['https://assistant.example.com/client.json', true],
    ['http://assistant.example.com/client.json', false],
    ['https://assistant.example.com/', false],
    ['https://assistant.example.com/client.json?a=b', false],
    ['https://assistant.example.com/client.json#a', false],
    ['https://user@assistant.example.com/client.json', false],
    ['https://assistant.example.com/a/../client.json', false],
    ['https://assistant.example.com/client.json'.padEnd(501, 'a'), false],
  ])('may be described at %s: %s', (id, may) => expect(isDocumentId(id)).toBe(may));

  it('is what its document says, if that names its own address and needs no secret', () => {
    const id = 'https://assistant.example.com/client.json';
    const document = { client_id: id, client_name: 'Assistant', redirect_uris: [CALLBACK] };
    expect(documentClient(id, document)).toEqual({ id, name: 'Assistant', redirectUris: [CALLBACK] });
    expect(() => documentClient(id, { ...document, client_id: `${id}2` })).toThrow('client_id must be the address');
    expect(() => documentClient(id, { ...document, token_endpoint_auth_method: 'private_key_jwt' })).toThrow('public');
    for (const wrong of [null, 'text', [], { ...document, redirect_uris: 'https://a/' }]) {
      expect(() => documentClient(id, wrong)).toThrow();
    }
  });
});

describe('a code', () => {
  const now = new Date('2026-12-01T12:00:00Z');
  const grant: Grant = {
    tokenId: 1,
    userId: 1,
    clientId: client.id,
    redirectUri: CALLBACK,
    codeChallenge: request.codeChallenge,
    codeExpiresAt: new Date(now.getTime() + 1),
    redeemedAt: null,
    scopes: ['read'],
  };
  const redemption = { clientId: client.id, redirectUri: CALLBACK, challenge: request.codeChallenge };

  it.each<[string, Partial<Grant>, object, string | null]>([
    ['is redeemed in time', {}, {}, null],
    ['expires', { codeExpiresAt: now }, {}, 'expired'],
    ['is redeemed once', { redeemedAt: now }, {}, 'replayed'],
    ['belongs to one application', {}, { clientId: 'other' }, 'wrong_client'],
    ['belongs to one address', {}, { redirectUri: `${CALLBACK}2` }, 'wrong_client'],
    ['needs its verifier', {}, { challenge: 'd'.repeat(43) }, 'wrong_verifier'],
  ])('%s', (_, ofGrant, ofRequest, refusal) =>
    expect(refusalOfCode({ ...grant, ...ofGrant }, { ...redemption, ...ofRequest }, now)).toBe(refusal),
  );
});
