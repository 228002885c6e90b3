import { describe, expect, it } from '@jest/globals';
import { VendorCallFailed } from '#adapters/outgoing-http';
import type { ProviderFailure } from '#generation';
import { NotAccepted, OutcomeUnknown } from '#generation';
import { preparationFailure, queryFailure, submissionFailure } from './failures.ts';

const refused = (status: number, body = 'no') =>
  new VendorCallFailed('refused', { status, headers: new Headers(), body, retryAfterSeconds: 7 }, `status ${status}`);
const notSent = new VendorCallFailed('not_sent', null, 'ECONNREFUSED');
const lost = new VendorCallFailed('no_response', null, 'ECONNRESET');
const tooLarge = new VendorCallFailed('too_large', null, 'the response is too large');
const unreadable = new SyntaxError('no JSON');
const nothing = () => null;

/** In short: `unknown`, `later: code`, or the code and whether it is worth a repetition. */
function inShort(failure: Error): string {
  if (failure instanceof OutcomeUnknown) return 'unknown';
  if (failure instanceof NotAccepted) return `later: ${failure.code}`;
  const { code, retryable } = failure as ProviderFailure;
  return retryable ? `${code}, again` : code;
}

describe('The failure of a call to a vendor', () => {
  const down = ['later: provider_unavailable', 'provider_unavailable, again'] as const;
  it.each<[Error, submission: string, preparation: string, question: string]>([
    [notSent, 'later: provider_unavailable', ...down],
    [lost, 'unknown', ...down],
    [tooLarge, 'unknown', 'later: provider_unavailable', 'unusable_output, again'],
    [unreadable, 'unknown', ...down],
    [refused(500), 'unknown', ...down],
    [refused(502), 'unknown', ...down],
    [refused(503), 'later: provider_unavailable', ...down],
    [refused(504), 'unknown', ...down],
    [refused(429), 'later: provider_busy', 'later: provider_busy', 'provider_busy, again'],
    [refused(409), 'later: provider_busy', 'later: provider_busy', 'provider_unavailable, again'],
    [refused(400), 'invalid_input', 'invalid_input', 'provider_unavailable, again'],
    [refused(422), 'invalid_input', 'invalid_input', 'provider_unavailable, again'],
    [refused(401), 'provider_misconfigured', 'provider_misconfigured', 'provider_misconfigured'],
    [refused(402), 'provider_misconfigured', 'provider_misconfigured', 'provider_misconfigured'],
    [refused(403), 'provider_misconfigured', 'provider_misconfigured', 'provider_misconfigured'],
    [refused(404), 'provider_misconfigured', 'provider_misconfigured', 'provider_unavailable, again'],
    [refused(301), 'provider_misconfigured', 'provider_misconfigured', 'provider_unavailable, again'],
  ])('depends on what the call was for: %s', (error, submission, preparation, question) => {
    expect(inShort(submissionFailure(error, nothing))).toBe(submission);
    expect(inShort(preparationFailure(error, nothing))).toBe(preparation);
    expect(inShort(queryFailure(error))).toBe(question);
  });

  it('is that of an unknown model for a submission, not for an upload before it', () => {
    const unknown = () => 'unknown_model' as const;
    const failure = { code: 'provider_misconfigured', retryable: false };
    expect(submissionFailure(refused(404), unknown)).toMatchObject({ ...failure, isModelUnknown: true });
    expect(preparationFailure(refused(404), unknown)).toMatchObject({ ...failure, isModelUnknown: false });
    expect(submissionFailure(refused(404), nothing)).toMatchObject({ ...failure, isModelUnknown: false });
  });

  it('may have started the job if the vendor received the POST', () => {
    const wasSent = (failure: Error) => failure instanceof NotAccepted && failure.wasSent;
    for (const status of [429, 503]) {
      expect(wasSent(submissionFailure(refused(status), nothing))).toBe(true);
      expect(wasSent(preparationFailure(refused(status), nothing))).toBe(false);
    }
    expect(wasSent(submissionFailure(notSent, nothing))).toBe(false);
  });

  it('is not known when a refusal for now does not prove that the vendor has not accepted the request', () => {
    const proves = ({ body }: { body: string }) => body.startsWith('{');
    const inOf = (status: number, body: string) => inShort(submissionFailure(refused(status, body), nothing, proves));
    expect([inOf(503, '{}'), inOf(429, '{}')]).toEqual(['later: provider_unavailable', 'later: provider_busy']);
    expect([inOf(503, '<h1>'), inOf(429, '<h1>'), inOf(409, '')]).toEqual(['unknown', 'unknown', 'unknown']);
  });

  it('is the error of the vendor if that is more specific than the status', () => {
    const moderated = ({ body }: { body: string }) => (body.includes('nsfw') ? 'content_rejected' : null);
    expect(inShort(submissionFailure(refused(400, 'nsfw'), moderated))).toBe('content_rejected');
    expect(inShort(submissionFailure(refused(400, 'other'), moderated))).toBe('invalid_input');
  });

  it('asks for patience as the vendor does', () => {
    expect(submissionFailure(refused(429), nothing)).toMatchObject({ retryAfterSeconds: 7 });
    expect(submissionFailure(refused(503), nothing)).toMatchObject({ retryAfterSeconds: 7 });
  });

  it("shows the operator the vendor's message without secrets in URLs and bytes of pictures", () => {
    const body = `bad image https://files.example/a.png?X-Signature=s3cret, data:image/png;base64,${'A'.repeat(9_000)} x`;
    const { message, cause } = submissionFailure(refused(422, body), nothing);
    expect(message).toBe('the provider has rejected the input');
    expect((cause as Error).message).toBe(
      'the call to the vendor failed: status 422: bad image https://files.example/a.png?… data:… x',
    );
    const long = submissionFailure(refused(422, 'x'.repeat(9_000)), nothing).cause as Error;
    expect(long.message.length).toBeLessThan(600);
  });
});
