/** @tier test */
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { AuditFilter, NewAuditEntry } from '#audit-log';
import { PostgresAccounts, PostgresRetention, PostgresTokens, PostgresUnitOfWork } from '#adapters/postgres';
import { aToken, CountedTokenSecrets, someone } from '#testing/identity';
import { runningRequest } from '../../apps/wiring/src/checked-unit-of-work.ts';
import { RequestAuditLog } from '../../apps/wiring/src/request-audit-log.ts';
import { auditEntries } from '#wiring';
import { suiteDatabase } from '../support/suite-database.ts';
import { Product } from '../support/product.ts';

const ALL = { limit: null, after: null };
const DAY = 86_400;

const db = await suiteDatabase();
const product = new Product(db);
const { clock } = product;
const entries = product.get(auditEntries);
const log = new RequestAuditLog(entries, clock);
const unitOfWork = product.get(PostgresUnitOfWork);
let user: { readonly id: number; readonly email: string; readonly workspaceId: number };
beforeEach(async () => {
  user = await newUser();
});

async function newUser() {
  const { user: opened, workspaceId } = await new PostgresAccounts(db.database).open(someone());
  return { ...opened, workspaceId };
}

const record = (entry: NewAuditEntry) => unitOfWork.run(() => log.record(entry));
const signIn = () => record({ action: 'account.sign_in', target: user.id, details: { by: 'link' }, userId: user.id });
const page = async (filter: AuditFilter = {}, { workspaceId } = user) =>
  (await entries.page(workspaceId, filter, ALL)).items;
const actions = async (filter: AuditFilter = {}) => (await page(filter)).map(({ action }) => action);

describe('the audit log', () => {
  it('has no entry of a unit of work that is rolled back, and takes none outside of one', async () => {
    const failed = unitOfWork.run(async () => {
      await log.record({ action: 'account.sign_in', target: user.id, details: { by: 'link' }, userId: user.id });
      throw new Error('rolled back');
    });
    await expect(failed).rejects.toThrow('rolled back');
    expect(await page()).toEqual([]);
    const outside = log.record({ action: 'account.two_factor_on', target: user.id, details: {} });
    await expect(outside).rejects.toThrow('account.two_factor_on must be recorded in the unit of work');
    await signIn();
    expect(await actions()).toEqual(['account.sign_in']);
  });

  it('shows what operators did anywhere in one place, with names', async () => {
    const { workspaceId } = user;
    const saved = { id: 'fal', revision: 1, base_url: null, key_changed: false };
    await record({ action: 'provider.save', target: 7, details: saved, workspaceId: null });
    await runningRequest.run({ isCommandLine: true }, () =>
      record({ action: 'credits.grant', target: workspaceId, details: { amount: 5 }, workspaceId }),
    );
    const change = { operator: true, by: 'operator' } as const;
    await record({ action: 'account.operator_change', target: user.id, details: change, workspaceOf: user.id });
    await signIn();
    const { items } = await entries.page(null, {}, { limit: 3, after: null });
    expect(items.map(({ action, target }) => [action, target.name])).toEqual([
      ['account.operator_change', user.email],
      ['credits.grant', user.email],
      ['provider.save', 'fal'],
    ]);
  });

  it('says who acts, how, from where and on what, and names persons as they are now', async () => {
    const hash = new CountedTokenSecrets().hash('x12_log' as never);
    const { id: tokenId } = await new PostgresTokens(db.database).add(aToken({ userId: user.id, hash, name: 'CI' }));
    const { workspaceId } = user;
    const actor = { userId: user.id, workspaceId, tokenId, role: 'owner', plan: 'free', isTeam: false } as const;
    const caller = { actor: { ...actor, scopes: null, emailVerified: true }, requirements: {} } as never;
    await runningRequest.run({ id: 'r-1', ip: '192.0.2.7', caller }, () =>
      record({ action: 'token.revoke', target: tokenId, details: {} }),
    );
    await runningRequest.run({ isCommandLine: true }, () =>
      record({ action: 'credits.grant', target: workspaceId, details: { amount: 5 }, workspaceId }),
    );
    await record({ action: 'account.password_reset_request', target: user.id, details: {} });
    await signIn();
    await db.query('update users set email = $2 where id = $1', [user.id, `new-${user.email}`]);
    const email = `new-${user.email}`;
    const person = { type: 'user', userId: user.id, email };
    const target = { type: 'user', id: user.id, name: email };
    const nowhere = { via: null, viaName: null, address: null, requestId: null };
    expect((await page()).map(({ id: _id, at: _at, ...entry }) => entry)).toEqual([
      { actor: person, action: 'account.sign_in', target, details: { by: 'link' }, ...nowhere },
      { actor: { type: 'system' }, action: 'account.password_reset_request', target, details: {}, ...nowhere },
      {
        actor: { type: 'operator' },
        action: 'credits.grant',
        target: { type: 'workspace', id: workspaceId, name: email },
        details: { amount: 5 },
        ...nowhere,
        via: 'cli',
      },
      {
        actor: person,
        via: 'token',
        viaName: null,
        action: 'token.revoke',
        target: { type: 'token', id: tokenId, name: 'CI' },
        details: {},
        address: '192.0.2.7',
        requestId: 'r-1',
      },
    ]);
    await db.query('delete from workspaces where id = $1', [workspaceId]);
    await db.query('delete from users where id = $1', [user.id]);
    const [last] = await page();
    expect([last!.actor, last!.target]).toEqual([
      { ...person, email: null },
      { ...target, name: null },
    ]);
  });

  it('has one workspace, and each filter, in pages', async () => {
    const other = await newUser();
    const { workspaceId } = user;
    const start = clock.now();
    await signIn();
    clock.advance(10);
    await record({ action: 'board.restore', target: 7, details: {}, userId: user.id });
    await record({ action: 'board.erase', target: 8, details: {}, workspaceId });
    await record({ action: 'account.sign_in', target: other.id, details: { by: 'link' }, userId: other.id });
    expect(await actions()).toEqual(['board.erase', 'board.restore', 'account.sign_in']);
    expect(await actions({ actor: user.id })).toEqual(['board.restore', 'account.sign_in']);
    expect(await actions({ actor: 'system' })).toEqual(['board.erase']);
    expect(await actions({ actor: 'operator' })).toEqual([]);
    expect(await actions({ action: 'board.restore' })).toEqual(['board.restore']);
    expect(await actions({ target: { type: 'board', id: 8 } })).toEqual(['board.erase']);
    expect(await actions({ before: clock.now() })).toEqual(['account.sign_in']);
    expect(await actions({ after: clock.now(), actor: user.id })).toEqual(['board.restore']);
    expect(await actions({ after: start, before: new Date(start.getTime() + 1) })).toEqual(['account.sign_in']);
    const seen: number[] = [];
    for (let after: number | null = null; ;) {
      const { items, next } = await entries.page(workspaceId, {}, { limit: 1, after });
      seen.push(...items.map(({ id }) => id));
      if (next === null) break;
      after = next;
    }
    expect(seen).toEqual((await page()).map(({ id }) => id));
  });

  it.each([1, 400])('forgets entries after %d days, as the setting says', async (days) => {
    await signIn();
    const recordedAt = clock.now().getTime();
    const retention = new PostgresRetention(db.database, days);
    await retention.forget(new Date(recordedAt + days * DAY * 1000 - 1));
    expect(await actions()).toEqual(['account.sign_in']);
    await retention.forget(new Date(recordedAt + days * DAY * 1000));
    expect(await actions()).toEqual([]);
  });
});
