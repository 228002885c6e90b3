import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const ROOT = join(import.meta.dirname, '..', '..');
const POSTGRES = 'libs/adapters/postgres/src';

interface Rule {
  readonly pattern: RegExp;
  /** The files that may match, with the reason. */
  readonly allowed: Readonly<Record<string, string>>;
  /** A text that breaks the rule. */
  readonly planted: string;
}

/** Only `Gate` decides what callers may do: nothing else reads their tokens, their membership or their role for that. */
const RULES: Readonly<Record<string, Rule>> = {
  'only the token store has statements on tokens': {
    pattern: /\bapi_tokens\b|\bApiToken\b/,
    allowed: {
      [`${POSTGRES}/schema/identity.ts`]: 'describes the table',
      [`${POSTGRES}/identity/postgres-tokens.ts`]: 'is the token store',
      [`${POSTGRES}/identity/postgres-sessions.ts`]: 'lists and ends the tokens of sessions',
      [`${POSTGRES}/identity/postgres-grants.ts`]: 'joins grants with their tokens',
      [`${POSTGRES}/retention.ts`]: 'deletes expired tokens',
      [`${POSTGRES}/erasure/postgres-erasures.ts`]: 'deletes the tokens of erased persons',
      [`${POSTGRES}/audit.ts`]: 'finds tokens of erased persons',
      [`${POSTGRES}/credits/postgres-credit-audit.ts`]: 'compares budgets with what was spent by tokens',
      [`${POSTGRES}/export/personal-documents.ts`]: 'exports what a person sees of their tokens',
      [`${POSTGRES}/audit-log/postgres-audit-log.ts`]: 'names tokens in entries',
    },
    planted: "build.selectFrom('boards').innerJoin('api_tokens as token', 'token.user_id', 'boards.created_by')",
  },
  'only accounts and teams have statements on members': {
    pattern: /\bmemberships\b|\bMembership\b/,
    allowed: {
      [`${POSTGRES}/schema/identity.ts`]: 'describes the table',
      [`${POSTGRES}/identity/postgres-accounts.ts`]: 'adds the owner of a personal workspace',
      [`${POSTGRES}/identity/postgres-teams.ts`]: 'adds members',
      [`${POSTGRES}/identity/postgres-tokens.ts`]: 'finds the workspace in which a user acts, for the gate',
      [`${POSTGRES}/identity/postgres-directory.ts`]: 'shows operators the owners of workspaces',
      [`${POSTGRES}/team/postgres-members.ts`]: 'changes and removes members',
      [`${POSTGRES}/team/postgres-invitations.ts`]: 'an invitation ends with the rights of its inviter',
      [`${POSTGRES}/team/postgres-team-views.ts`]: 'shows members',
      [`${POSTGRES}/generation/generation-store.ts`]: 'makes the removal of a member wait for their new generation',
      [`${POSTGRES}/persona/persona-store.ts`]: 'makes the removal of a member wait for their first persona',
      [`${POSTGRES}/erasure/postgres-erasures.ts`]: 'ends memberships of erased persons',
      [`${POSTGRES}/erasure/postgres-erased-workspaces.ts`]: 'makes the erasure of a workspace wait for its members',
      [`${POSTGRES}/export/personal-documents.ts`]: 'exports the memberships of a person',
      [`${POSTGRES}/review/postgres-presence.ts`]: 'shows which members look at a board',
      [`${POSTGRES}/inbox/postgres-inbox.ts`]: 'adds entries for members alone',
      [`${POSTGRES}/inbox/postgres-inbox-mails.ts`]: 'mails nobody who has left the workspace',
      [`${POSTGRES}/audit-log/postgres-audit-log.ts`]: 'names a workspace by its owner',
      [`${POSTGRES}/audit.ts`]: 'counts members and owners',
    },
    planted: "eb.exists(eb.selectFrom('memberships').where('user_id', '=', param('userId')))",
  },
  'only the gate looks up the callers of tokens again': {
    pattern: /\.callers\(|'callers'/,
    allowed: { 'libs/identity/src/gate.ts': 'is the gate' },
    planted: 'const still = await this.tokens.callers([actor.tokenId], now);',
  },
  'only the table of permissions compares roles': {
    pattern: /\bROLE_LEVELS\b|\b(?:actor|caller)\.role\b/,
    allowed: {
      'libs/kernel/src/roles.ts': 'orders the roles',
      'libs/identity/src/domain/permissions.ts': 'is the table of permissions',
      'libs/identity/src/gate.ts': 'is the gate',
      'apps/api/src/team/team.dto.ts': 'shows the level of a role',
    },
    planted: "if (actor.role !== 'admin') throw new DomainError('forbidden', 'only admins may do this');",
  },
};

const OTHER = /\.test\.ts$|\/testing\/|\/migrations\/|\bnode_modules\b|^libs\/client\/|^apps\/console\//;

function sources(): ReadonlyMap<string, string> {
  const paths = ['libs', 'apps'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`),
  );
  const read = paths.filter((path) => path.endsWith('.ts') && !OTHER.test(path));
  return new Map(read.map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]));
}

/** The files that break a rule, or that a rule allows for no reason. */
function faultsOf({ pattern, allowed }: Rule, files: ReadonlyMap<string, string>) {
  const matching = [...files].filter(([, text]) => pattern.test(text)).map(([path]) => path);
  return {
    broken: matching.filter((path) => !(path in allowed)),
    unneeded: Object.keys(allowed).filter((path) => !matching.includes(path)),
  };
}

describe('rights', () => {
  it.each(Object.entries(RULES))('%s', (_name, rule) => {
    const files = sources();
    expect(files.size).toBeGreaterThan(300);
    expect(faultsOf(rule, files)).toEqual({ broken: [], unneeded: [] });
    const planted = new Map([...files, ['libs/board/src/planted.ts', rule.planted]]);
    expect(faultsOf(rule, planted).broken).toEqual(['libs/board/src/planted.ts']);
  });
});
