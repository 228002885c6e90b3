/** @tier test */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Balance, Charge, CreditLedger, Grant, Month, Reservation } from '#credits';
import type { TokenBudget } from '#identity';
import { creditStoreOn } from '../support/credit-store.ts';
import { suiteDatabase } from '../support/suite-database.ts';
import { itInRounds, rounds } from '../support/rounds.ts';

const db = await suiteDatabase({ poolSize: 25 });
const store = creditStoreOn(db.database);

const march: Month = '2026-03';
const april: Month = '2026-04';

/** The ledger of one workspace, in a few lines: the sums are computed from the reservations and grants. */
class LedgerModel {
  readonly #reservations = new Map<number, Reservation & { charged: number; end: 'charged' | 'released' | null }>();
  readonly #grants = new Map<string, Grant>();

  reserve(reservation: Reservation, monthlyCredits: number): 'reserved' | 'insufficient' {
    if (this.#reservations.has(reservation.generationId)) return 'reserved';
    const { allocation, used } = this.balance(reservation.workspaceId, reservation.month, monthlyCredits);
    if (reservation.amount > Math.max(0, allocation - used)) return 'insufficient';
    this.#reservations.set(reservation.generationId, { ...reservation, charged: reservation.amount, end: null });
    return 'reserved';
  }

  charge(generationId: number, amount?: number): Charge {
    const reserved = this.#end(generationId, 'charged');
    const charged = Math.min(amount ?? reserved, reserved);
    if (reserved > 0) this.#reservations.get(generationId)!.charged = charged;
    return { charged, released: reserved - charged };
  }

  release(generationId: number): number {
    const reserved = this.#end(generationId, 'released');
    if (reserved > 0) this.#reservations.get(generationId)!.charged = 0;
    return reserved;
  }

  grant(grant: Grant): boolean {
    if (this.#grants.has(grant.key)) return false;
    this.#grants.set(grant.key, grant);
    return true;
  }

  balance(_workspaceId: number, month: Month, monthlyCredits: number): Balance {
    const sumOf = (entries: ReadonlyArray<{ month: Month; amount: number }>) =>
      entries.reduce((sum, entry) => sum + (entry.month === month ? entry.amount : 0), 0);
    const kept = [...this.#reservations.values()].map((each) => ({ ...each, amount: each.charged }));
    return { allocation: monthlyCredits + sumOf([...this.#grants.values()]), used: sumOf(kept) };
  }

  #end(generationId: number, end: 'charged' | 'released'): number {
    const reservation = this.#reservations.get(generationId);
    if (!reservation || reservation.end) return 0;
    reservation.end = end;
    return reservation.amount;
  }
}

describe('the credit ledger', () => {
  async function setUp(generations: number) {
    const { workspaceId, userId } = await store.newWorkspace();
    const ids = await store.newGenerations(workspaceId, userId, generations);
    const { ledger, unitOfWork } = store;
    const reserve = (generationId: number, amount: number, credits: number) =>
      unitOfWork.run(() => ledger.reserve({ workspaceId, userId, generationId, month: march, amount }, credits));
    const used = async () => (await ledger.balance(workspaceId, march, 0)).used;
    return { ledger, workspaceId, ids, reserve, used };
  }

  it('reserves up to the remaining credits, and nothing if a smaller plan leaves a negative balance', async () => {
    const { ids, reserve, used } = await setUp(5);
    expect(await reserve(ids[0]!, 11, 10)).toBe('insufficient');
    expect(await reserve(ids[0]!, 7, 10)).toBe('reserved');
    expect(await reserve(ids[1]!, 4, 10)).toBe('insufficient');
    expect(await reserve(ids[2]!, 3, 10)).toBe('reserved');
    expect(await reserve(ids[3]!, 1, 10)).toBe('insufficient');
    expect(await reserve(ids[4]!, 0, 5)).toBe('reserved');
    expect(await used()).toBe(10);
  });

  itInRounds('never oversells: 50 reservations at once on 10 credits, the first of a month among them', async () => {
    const { ids, reserve, ledger, workspaceId } = await setUp(50);
    const results = await Promise.all(ids.map((id) => reserve(id, 1, 10)));
    expect(results.filter((result) => result === 'reserved')).toHaveLength(10);
    expect(await ledger.balance(workspaceId, march, 10)).toEqual({ allocation: 10, used: 10 });
  });

  it('reserves once for concurrent repeated calls', async () => {
    const { ids, reserve, used } = await setUp(rounds());
    for (const id of ids) {
      const results = await Promise.allSettled(Array.from({ length: 8 }, () => reserve(id, 1, 100)));
      for (const result of results) {
        if (result.status === 'fulfilled') expect(result.value).toBe('reserved');
        else expect(result.reason).toMatchObject({ code: 'conflict' });
      }
      expect(await reserve(id, 1, 100)).toBe('reserved');
    }
    expect(await used()).toBe(ids.length);
  });

  it('ends each reservation once when it is charged and released at once, again and again', async () => {
    const { ids, reserve, used, ledger } = await setUp(2 * rounds());
    for (const id of ids) await reserve(id, 1, ids.length);
    for (const id of ids) {
      await Promise.all(Array.from({ length: 6 }, (_, index) => (index % 2 ? ledger.charge(id) : ledger.release(id))));
    }
    const standing = await used();
    for (const id of ids) await ledger.release(id);
    for (const id of ids) await ledger.charge(id);
    expect(await used()).toBe(standing);
  });

  it('does as a simple model does, in each month and workspace, through any sequence of effects', async () => {
    const { ledger, unitOfWork, newWorkspace, newGenerations } = store;
    const effect = fc.record({
      kind: fc.constantFrom('reserve' as const, 'charge' as const, 'release' as const, 'grant' as const),
      generation: fc.integer({ min: 0, max: 5 }),
      member: fc.integer({ min: 0, max: 1 }),
      month: fc.constantFrom(march, april),
      amount: fc.integer({ min: 0, max: 12 }),
      charge: fc.option(fc.integer({ min: 0, max: 12 }), { nil: undefined }),
      monthlyCredits: fc.constantFrom(0, 10, 20),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(effect, { maxLength: 25 }), async (effects) => {
        const { workspaceId, userId } = await newWorkspace();
        const members = [userId, (await newWorkspace()).userId];
        const ids = await newGenerations(workspaceId, userId, 6);
        const model = new LedgerModel();
        const onBoth = async <T>(act: (ledger: CreditLedger | LedgerModel) => T | Promise<T>) =>
          expect(await unitOfWork.run(async () => act(ledger))).toEqual(act(model));
        for (const { kind, generation, member, month, amount, charge, monthlyCredits } of effects) {
          const generationId = ids[generation]!;
          const reservation = { workspaceId, userId: members[member]!, generationId, month, amount };
          const key = `${workspaceId}-${generation}`;
          const granted = { key, workspaceId, month, amount, reason: 'test' };
          await onBoth<unknown>((each) => {
            if (kind === 'reserve') return each.reserve(reservation, monthlyCredits);
            if (kind === 'grant') return each.grant(granted);
            return kind === 'release' ? each.release(generationId) : each.charge(generationId, charge);
          });
        }
        for (const month of [march, april]) await onBoth((each) => each.balance(workspaceId, month, 20));
        const { workspaceId: other } = await newWorkspace();
        expect(await ledger.balance(other, march, 20)).toEqual({ allocation: 20, used: 0 });
      }),
      { numRuns: 100 },
    );
  });

  describe('with budgets of tokens', () => {
    let lastToken = Date.now();
    async function setUpBudgets(generations: number) {
      const { ledger, workspaceId, ids } = await setUp(generations);
      const [outer, inner] = [(lastToken += 1), (lastToken += 1)];
      const { userId } = await store.newWorkspace();
      const spend = (index: number, amount: number, budgets: readonly TokenBudget[], month: Month = march) => {
        const reservation = { workspaceId, userId, generationId: ids[index]!, month, amount, budgets };
        return store.unitOfWork
          .run(() => ledger.reserve(reservation, 1000))
          .catch((error: { code: string }) => error.code);
      };
      const used = async (month: Month = march) => {
        const sums = await store.views.usedOfBudgets([outer, inner], month);
        return [sums.get(outer) ?? 0, sums.get(inner) ?? 0];
      };
      return { ledger, workspaceId, ids, outer, inner, spend, used };
    }

    it('refuses what exceeds one of them in a month, and then has no effect', async () => {
      const { ledger, workspaceId, outer, inner, spend, used } = await setUpBudgets(6);
      const both = [
        { tokenId: inner, monthlyCredits: 7 },
        { tokenId: outer, monthlyCredits: 10 },
      ];
      expect(await spend(0, 8, both)).toBe('budget_exceeded');
      expect(await spend(0, 7, both)).toBe('reserved');
      expect(await spend(0, 7, both)).toBe('reserved');
      expect(await spend(1, 1, both)).toBe('budget_exceeded');
      expect(await spend(1, 4, both.slice(1))).toBe('budget_exceeded');
      expect(await used()).toEqual([7, 7]);
      expect(await spend(1, 3, both.slice(1))).toBe('reserved');
      expect(await spend(2, 0, both)).toBe('reserved');
      expect(await spend(3, 1, both, april)).toBe('reserved');
      expect([await used(), await used(april)]).toEqual([
        [10, 7],
        [1, 1],
      ]);
      expect((await ledger.balance(workspaceId, march, 0)).used).toBe(10);
    });

    it('gives back what is released, and what a charge leaves', async () => {
      const { ledger, ids, outer, inner, spend, used } = await setUpBudgets(3);
      const budgets = [outer, inner].map((tokenId) => ({ tokenId, monthlyCredits: 10 }));
      for (const index of [0, 1]) await spend(index, 5, budgets);
      expect(await spend(2, 1, budgets)).toBe('budget_exceeded');
      for (let times = 0; times < 2; times += 1) await ledger.release(ids[0]!);
      expect(await used()).toEqual([5, 5]);
      await ledger.charge(ids[1]!, 2);
      expect(await used()).toEqual([2, 2]);
      expect(await spend(2, 8, budgets)).toBe('reserved');
    });

    it('never exceeds one, however many reservations and releases there are at once', async () => {
      for (let round = 0; round < rounds(); round += 1) {
        const { ledger, ids, outer, inner, spend, used } = await setUpBudgets(20);
        const budgets = [outer, inner].map((tokenId) => ({ tokenId, monthlyCredits: 10 }));
        const outcomes = await Promise.all(ids.map((_, index) => spend(index, 1, budgets)));
        expect(outcomes.filter((outcome) => outcome === 'reserved')).toHaveLength(10);
        expect(await used()).toEqual([10, 10]);
        const reserved = ids.filter((_, index) => outcomes[index] === 'reserved');
        const refused = ids.flatMap((_, index) => (outcomes[index] === 'reserved' ? [] : [index]));
        const [again] = await Promise.all([
          Promise.all(refused.map((index) => spend(index, 1, budgets))),
          ...reserved.slice(0, 4).map((id) => ledger.release(id)),
        ]);
        const accepted = again.filter((outcome) => outcome === 'reserved').length;
        expect(accepted).toBeLessThanOrEqual(4);
        expect(await used()).toEqual([6 + accepted, 6 + accepted]);
      }
    });
  });

  it('is consistent after all of this', async () => {
    expect(await store.audit.faults()).toEqual([]);
  });
});
