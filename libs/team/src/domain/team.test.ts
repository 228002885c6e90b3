import { describe, expect, it } from '@jest/globals';
import { newRoleOf } from './team.ts';

describe('a new role', () => {
  it('is member or admin', () => {
    expect(['member', 'admin'].map(newRoleOf)).toEqual(['member', 'admin']);
  });

  it.each(['owner', 'Admin', 'member ', '', '2', 'superuser', 'constructor'])('is not %j', (text) => {
    expect(() => newRoleOf(text)).toThrow(expect.objectContaining({ code: 'invalid_role_change' }));
  });
});
