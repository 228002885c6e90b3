import { describe, expect, it } from '@jest/globals';
import { verdictOf } from '#testing/kernel';
import { assertScope, SCOPES, scopesOf, scopesWithin, type Scope } from './scopes.ts';

describe('the scopes of an operation', () => {
  it.each<[string, Scope]>([
    ['uploads.createMany', 'upload'],
    ['generations.create', 'generate'],
    ['personas.slots.fill', 'personas'],
    ['boards.media.create', 'boards'],
    ['trash.restore', 'boards'],
    ['team.members.add', 'team'],
    ['webhooks.secret.rotate', 'webhooks'],
    ['auth.tokens.create', 'account'],
    ['inbox.markRead', 'account'],
  ])('are, for %s, %s', (operation, scope) => {
    expect(scopesOf(operation, { isRead: false })).toEqual([scope]);
    expect(scopesOf(operation, { isRead: true })).toEqual(scope === 'account' ? ['account'] : [scope, 'read']);
  });

  it('are none for ending the session of the request', () => {
    expect(scopesOf('auth.session.delete', { isRead: false })).toEqual([]);
  });

  it('have to be declared: a program with an operation of an unknown resource does not start', () => {
    const message =
      'things.list has no scope: add its resource, things, to SCOPE_OF in libs/identity/src/domain/scopes.ts';
    expect(() => scopesOf('things.list', { isRead: true })).toThrow(message);
    expect(() => scopesOf('toString.list', { isRead: true })).toThrow('has no scope');
  });
});

describe('a token', () => {
  it('may do what one of its scopes allows, and everything without scopes', () => {
    expect(verdictOf(() => assertScope(null, ['account']))).toBe('allowed');
    expect(verdictOf(() => assertScope(['boards'], ['boards', 'read']))).toBe('allowed');
    expect(verdictOf(() => assertScope(['upload', 'read'], ['boards', 'read']))).toBe('allowed');
    expect(verdictOf(() => assertScope([], []))).toBe('allowed');
    expect(verdictOf(() => assertScope(['read', 'upload'], ['boards']))).toBe('insufficient_scope');
    expect(verdictOf(() => assertScope([], ['read']))).toBe('insufficient_scope');
  });

  it('is refused with the scopes of which it lacks one', () => {
    expect(() => assertScope(['upload'], ['boards', 'read'])).toThrow(
      expect.objectContaining({
        message: 'the API token lacks the scope boards or read: use one that has it',
        scope: 'boards',
      }),
    );
  });

  it('makes tokens with no scope that it lacks', () => {
    expect(scopesWithin(null, null)).toBeNull();
    expect(scopesWithin(null, ['read'])).toEqual(['read']);
    expect(scopesWithin(['account', 'read'], null)).toEqual(['account', 'read']);
    expect(scopesWithin(['account', 'read'], ['read'])).toEqual(['read']);
    for (const scope of SCOPES) {
      const expected = ['account', 'read'].includes(scope) ? 'allowed' : 'insufficient_scope';
      expect(verdictOf(() => scopesWithin(['account', 'read'], ['read', scope]))).toBe(expected);
    }
  });
});
