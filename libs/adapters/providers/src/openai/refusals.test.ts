import { describe, expect, it } from '@jest/globals';
import { isNotAccepted, refusalCodeOf } from './refusals.ts';

const coded = (code: unknown) => JSON.stringify({ error: { message: '…', type: 'x', param: null, code } });

describe("a refusal of OpenAI's image API", () => {
  it.each<[string, string, string | null]>([
    ['of the moderation', coded('moderation_blocked'), 'content_rejected'],
    ['of the moderation of a picture', coded('image_content_policy_violation'), 'content_rejected'],
    ['of the content filter of a gateway', coded('content_filter'), 'content_rejected'],
    ['of an empty account', coded('insufficient_quota'), 'provider_misconfigured'],
    ['of an account at its limit', coded('billing_hard_limit_reached'), 'provider_misconfigured'],
    ['of calls that are too many', coded('rate_limit_exceeded'), null],
    ['of an input', coded('invalid_value'), null],
    ['without a code', coded(null), null],
    ['with a number as code', coded(400), null],
    ['without an error', '{"detail":"no"}', null],
    ['with an error that is no object', '{"error":null}', null],
    ['that is HTML', '<h1>Bad gateway</h1>', null],
  ])('%s means the same with every status', (_, body, code) => {
    for (const status of [400, 429, 500]) {
      const response = { status, body, headers: new Headers(), retryAfterSeconds: null };
      expect(refusalCodeOf(response)).toBe(code);
    }
  });

  it.each<[number, string | null]>([
    [404, 'unknown_model'],
    [403, null],
    [400, null],
  ])('with the status %i and the code of an unknown model means %s', (status, code) => {
    const response = { status, body: coded('model_not_found'), headers: new Headers(), retryAfterSeconds: null };
    expect(refusalCodeOf(response)).toBe(code);
  });

  it.each<[string, number, string, string | null]>([
    ['a failure of the API', 500, 'server_error', 'provider_unavailable'],
    ['an error of a proxy', 500, 'proxy', null],
    ['an API that is down', 503, 'server_error', null],
  ])('is known to be %s', (_, status, type, code) => {
    const body = JSON.stringify({ error: { message: '…', type, code: null } });
    expect(refusalCodeOf({ status, body, headers: new Headers(), retryAfterSeconds: null })).toBe(code);
  });
});

describe('a refusal for now', () => {
  const error = (type: string | null, code: string | null) => JSON.stringify({ error: { message: '…', type, code } });
  const trusts = (status: number, body: string, headers = {}) =>
    isNotAccepted({ status, body, headers: new Headers(headers), retryAfterSeconds: null });

  it.each([
    ['a limit of requests', 429, error('requests', 'rate_limit_exceeded')],
    ['a limit of tokens', 429, error('tokens', null)],
    ['traffic that grows too fast', 429, error('rate_limit_error', 'slow_down')],
    ['a model that is overloaded', 503, error('service_unavailable_error', 'server_is_overloaded')],
  ])('proves that nothing was started if OpenAI documents it: %s', (_, status, body) => {
    expect(trusts(status, body)).toBe(true);
  });

  it.each([
    ['without an error', 429, ''],
    ['of a proxy', 429, '<h1>Too many requests</h1>'],
    ['with an error that is not documented', 429, error('server_error', null)],
    ['of a server with an error', 503, error('server_error', null)],
    ['of a proxy that is down', 503, '<h1>Unavailable</h1>'],
    ['of a rate limit with the status of an overload', 503, error('requests', 'rate_limit_exceeded')],
  ])('proves nothing %s (%s)', (_, status, body) => {
    expect(trusts(status, body)).toBe(false);
  });

  it('proves nothing if the API asks not to send it again', () => {
    const body = error('requests', 'rate_limit_exceeded');
    expect(trusts(429, body, { 'x-should-retry': 'false' })).toBe(false);
    expect(trusts(429, body, { 'x-should-retry': 'true' })).toBe(true);
  });
});
