import { describe, expect, it } from '@jest/globals';
import { countTry, readCode, shownRecoveryCode, type CodeTries, type RecoveryCode } from './two-factor.ts';

describe('a typed code', () => {
  it.each([
    ['492039', { kind: 'totp', code: '492039' }],
    [' 492 039 ', { kind: 'totp', code: '492039' }],
    ['3f9a107c2eb81d495a60', { kind: 'recovery', code: '3f9a107c2eb81d495a60' }],
    ['3F9A1-07c2e b81d4-95A60', { kind: 'recovery', code: '3f9a107c2eb81d495a60' }],
  ])('%s is read', (text, code) => {
    expect(readCode(text)).toEqual(code);
  });

  it.each(['', '49203', '4920391', '49203a', '٤٩٢٠٣٩', '3f9a107c2eb81d495a6', '3f9a107c2eb81d495a600', 'g'.repeat(20)])(
    '"%s" is no code',
    (text) => {
      expect(readCode(text)).toBeNull();
    },
  );

  it('is read as it is shown', () => {
    const code = '3f9a107c2eb81d495a60' as RecoveryCode;
    expect(shownRecoveryCode(code)).toBe('3f9a1-07c2e-b81d4-95a60');
    expect(readCode(shownRecoveryCode(code))).toEqual({ kind: 'recovery', code });
  });
});

describe('wrong codes of an account', () => {
  const start = new Date('2026-11-24T12:00:00Z');
  const later = (seconds: number) => new Date(start.getTime() + seconds * 1000);
  const after = (failures: number): CodeTries => ({ failures, lastAt: start });

  it('are free up to five', () => {
    let tries: CodeTries = { failures: 0, lastAt: null };
    for (let count = 1; count <= 5; count++) {
      tries = countTry(tries, start);
      expect(tries).toEqual({ failures: count, lastAt: start });
    }
    expect(() => countTry(tries, start)).toThrow(expect.objectContaining({ code: 'rate_limited', retrySeconds: 60 }));
  });

  it.each([
    [5, 60],
    [6, 120],
    [10, 1920],
    [11, 3600],
    [1000, 3600],
  ])('%i in a row make the account wait %i seconds', (failures, seconds) => {
    const early = expect.objectContaining({ code: 'rate_limited', retrySeconds: 1 });
    expect(() => countTry(after(failures), later(seconds - 0.001))).toThrow(early);
    expect(countTry(after(failures), later(seconds))).toEqual({ failures: failures + 1, lastAt: later(seconds) });
  });

  it('are forgotten a day after the last one', () => {
    expect(countTry(after(20), later(86_399))).toMatchObject({ failures: 21 });
    expect(countTry(after(20), later(86_400))).toMatchObject({ failures: 1 });
  });
});
