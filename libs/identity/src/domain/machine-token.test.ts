import { describe, expect, it } from '@jest/globals';
import { assertOperates, isMachineSecret, isUseDue, machineSecretOf, operateScopesOf } from './machine-token.ts';
import { isTokenSecret, tokenSecretOf } from './token.ts';

const secret = machineSecretOf(tokenSecretOf('a'.repeat(43)));
const codeOf = (scopes: readonly ('operate' | 'operate.read')[], isRead: boolean) => {
  try {
    return assertOperates({ scopes }, { isRead });
  } catch (error) {
    return error;
  }
};

describe('a machine token', () => {
  it('has a secret of its own format, which no token of a user has', () => {
    expect(secret).toBe(`x12_operate_${'a'.repeat(43)}`);
    expect([isMachineSecret(secret), isTokenSecret(secret)]).toEqual([true, false]);
    expect([isMachineSecret(`${secret}a`), isMachineSecret(tokenSecretOf('a'.repeat(43)))]).toEqual([false, false]);
  });

  it('has at least one scope, each once', () => {
    expect(() => operateScopesOf([])).toThrow('scopes must name at least one of operate.read, operate');
    expect(operateScopesOf(['operate', 'operate'])).toEqual(['operate']);
  });

  it('reads with either scope, and changes with `operate` alone', () => {
    expect([codeOf(['operate.read'], true), codeOf(['operate'], true), codeOf(['operate'], false)]).toEqual(
      Array(3).fill(undefined),
    );
    expect(codeOf(['operate.read'], false)).toMatchObject({ code: 'insufficient_scope', scope: 'operate' });
  });

  it('records a use a minute after the one before', () => {
    const lastUsedAt = new Date('2026-11-30T10:00:00Z');
    expect(isUseDue({ lastUsedAt: null }, lastUsedAt)).toBe(true);
    expect(isUseDue({ lastUsedAt }, new Date('2026-11-30T10:00:59.999Z'))).toBe(false);
    expect(isUseDue({ lastUsedAt }, new Date('2026-11-30T10:01:00Z'))).toBe(true);
  });
});
