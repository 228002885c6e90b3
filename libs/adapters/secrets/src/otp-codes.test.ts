import { describe, expect, it } from '@jest/globals';
import { generate } from 'otplib';
import { emailOf, type TotpCode } from '#identity';
import { OtpCodes } from './otp-codes.ts';

const codes = new OtpCodes('x12 media.example.com');
/** RFC 6238, appendix B: the secret of SHA-1, and the last six digits of its codes. */
const secret = Buffer.from('12345678901234567890');
const at = (seconds: number) => new Date(seconds * 1000);

describe('a code of an app', () => {
  it.each([
    [59, '287082', 1],
    [1_111_111_109, '081804', 37_037_036],
    [1_234_567_890, '005924', 41_152_263],
    [20_000_000_000, '353130', 666_666_666],
  ])('at %i is that of RFC 6238', async (seconds, code, step) => {
    expect(await codes.stepOf(code as TotpCode, secret, at(seconds))).toBe(step);
  });

  it('is accepted in its time step, the step before and the step after, and in no other', async () => {
    const step = 41_152_263;
    const code = (await generate({ secret, epoch: step * 30 })) as TotpCode;
    const accepted = async (seconds: number) => (await codes.stepOf(code, secret, at(seconds))) === step;
    const [first, last] = [(step - 1) * 30, (step + 2) * 30 - 1];
    for (const seconds of [first, step * 30, step * 30 + 29.999, last, last + 0.999]) {
      expect([seconds, await accepted(seconds)]).toEqual([seconds, true]);
    }
    for (const seconds of [first - 0.001, first - 1, last + 1]) {
      expect([seconds, await accepted(seconds)]).toEqual([seconds, false]);
    }
  });

  it('of another secret is wrong', async () => {
    const other = codes.createSecret();
    expect(other).toHaveLength(20);
    const code = (await generate({ secret: other, epoch: 59 })) as TotpCode;
    expect(await codes.stepOf(code, secret, at(59))).toBeNull();
  });
});

it('an app gets the secret as text, as a URL and as a QR code', async () => {
  const { secret: shown, url, qrCode } = await codes.enrolmentOf(secret, emailOf('ada@example.com'));
  expect(shown).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
  const { protocol, host, pathname, searchParams } = new URL(url);
  expect([protocol, host]).toEqual(['otpauth:', 'totp']);
  expect(decodeURIComponent(pathname)).toBe('/x12 media.example.com:ada@example.com');
  expect(Object.fromEntries(searchParams)).toMatchObject({ secret: shown, issuer: 'x12 media.example.com' });
  expect(qrCode).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" .*<\/svg>\s*$/s);
});

it('recovery codes have 80 bits and never repeat; their hash is SHA-256', () => {
  const made = Array.from({ length: 1000 }, () => codes.createRecoveryCode());
  expect(new Set(made).size).toBe(1000);
  for (const code of made) expect(code).toMatch(/^[0-9a-f]{20}$/);
  expect(codes.hashRecoveryCode(made[0]!)).toMatch(/^[0-9a-f]{64}$/);
  expect(codes.hashRecoveryCode(made[0]!)).toBe(codes.hashRecoveryCode(made[0]!));
});
