/** @tier test */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Balance, Charge, CreditLedger, Grant, Month, Reservation } from '#credits';
import type { TokenBudget } from '#identity';
import { WHOLE_LIST } from '#kernel';
import { creditStoreOn } from '../support/credit-store.ts';
import { suiteDatabase } from '../support/suite-database.ts';
import { itInRounds, rounds } from '../support/rounds.ts';
import { THOROUGH } from '../support/thorough.ts';

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

  describe('with budgets of customers', () => {
    /** Reserves for `ada` unless another label is given. */
    async function setUpCustomers(generations: number) {
      const { ledger, workspaceId, ids } = await setUp(generations);
      const { userId } = await store.newWorkspace();
      const reservation = (index: number, amount: number, more: Partial<Reservation> = {}): Reservation => {
        return { workspaceId, userId, generationId: ids[index]!, month: march, amount, customer: 'ada', ...more };
      };
      const spendAll = (reservations: readonly Reservation[]) =>
        store.unitOfWork
          .run(() => ledger.reserveAll(reservations, 10_000))
          .catch(({ code, budget }: { code: string; budget: string }) => `${code} ${budget}`);
      const spend = (...of: Parameters<typeof reservation>) => spendAll([reservation(...of)]);
      const limit = (changes: { monthlyCredits?: number | null; totalCredits?: number | null }, customer = 'ada') =>
        store.customers.save({ workspaceId, customer, createdAt: new Date() }, changes, march);
      /** Used and reserved, in the month and in all, by label. */
      const sums = async (month: Month = march) =>
        Object.fromEntries(
          (await store.customers.list(workspaceId, WHOLE_LIST, month)).items.map((each) => [
            each.customer,
            [each.month.used, each.month.reserved, each.total.used, each.total.reserved],
          ]),
        );
      return { ledger, workspaceId, ids, reservation, spend, spendAll, limit, sums };
    }
    const refused = 'budget_exceeded customer';

    it('makes a label a customer with its first reservation, without a budget', async () => {
      const { spend, sums } = await setUpCustomers(3);
      expect(await spend(0, 4)).toBe('reserved');
      expect(await spend(0, 4)).toBe('reserved');
      expect(await spend(1, 3, { customer: '__proto__' })).toBe('reserved');
      expect(await spend(2, 5, { customer: null })).toBe('reserved');
      expect(Object.entries(await sums())).toEqual([
        ['__proto__', [3, 3, 3, 3]],
        ['ada', [4, 4, 4, 4]],
      ]);
    });

    it('refuses what exceeds the budget of the month or of all months, and then has no effect', async () => {
      const { spend, limit, sums, workspaceId, ledger } = await setUpCustomers(5);
      await limit({ monthlyCredits: 10, totalCredits: 15 });
      expect(await spend(0, 11)).toBe(refused);
      expect(await spend(0, 10)).toBe('reserved');
      expect(await spend(1, 1)).toBe(refused);
      expect(await spend(2, 6, { month: april })).toBe(refused);
      expect(await spend(2, 5, { month: april })).toBe('reserved');
      expect([await sums(), await sums(april)]).toEqual([{ ada: [10, 10, 15, 15] }, { ada: [5, 5, 15, 15] }]);
      expect((await ledger.balance(workspaceId, march, 0)).used).toBe(10);
      await limit({ totalCredits: null });
      expect(await spend(3, 5, { month: april })).toBe('reserved');
    });

    it('reserves for several customers at once, all or none', async () => {
      const { reservation, spendAll, limit, sums } = await setUpCustomers(4);
      await limit({ monthlyCredits: 5 }, 'bo');
      const cells = ['ada', 'bo', 'ada', 'bo'].map((customer, index) => reservation(index, 3, { customer }));
      expect(await spendAll(cells)).toBe(refused);
      expect(await sums()).toEqual({ bo: [0, 0, 0, 0] });
      expect(await spendAll(cells.slice(0, 3))).toBe('reserved');
      expect(await sums()).toEqual({ ada: [6, 6, 6, 6], bo: [3, 3, 3, 3] });
    });

    it('counts an end in the month of the reservation, and gives back what was not charged', async () => {
      const { ledger, ids, spend, sums } = await setUpCustomers(3);
      for (const index of [0, 1, 2]) await spend(index, 5);
      await ledger.charge(ids[0]!);
      expect(await sums()).toEqual({ ada: [15, 10, 15, 10] });
      await ledger.charge(ids[1]!, 2);
      for (let times = 0; times < 2; times += 1) await ledger.release(ids[2]!);
      expect([await sums(), await sums(april)]).toEqual([{ ada: [7, 0, 7, 0] }, { ada: [0, 0, 7, 0] }]);
    });

    it('lets ends go on when a budget falls below what is used of it, and reservations once there is room', async () => {
      const { ledger, ids, spend, limit } = await setUpCustomers(4);
      await limit({ monthlyCredits: 10 });
      for (const index of [0, 1]) await spend(index, 5);
      await limit({ monthlyCredits: 6 });
      expect(await spend(2, 1)).toBe(refused);
      await ledger.release(ids[0]!);
      expect(await spend(2, 2)).toBe(refused);
      expect(await spend(2, 1)).toBe('reserved');
      expect(await ledger.charge(ids[1]!)).toEqual({ charged: 5, released: 0 });
    });

    it('never exceeds one, however many reservations there are at once, the first of the label among them', async () => {
      const [calls, credits] = THOROUGH ? [1000, 100] : [60, 20];
      const { ids, spend, limit, sums } = await setUpCustomers(calls);
      await limit({ totalCredits: credits });
      const outcomes = await Promise.all(ids.map((_, index) => spend(index, 1)));
      expect(outcomes.filter((outcome) => outcome === 'reserved')).toHaveLength(credits);
      expect(outcomes.filter((outcome) => outcome === refused)).toHaveLength(calls - credits);
      expect(await sums()).toEqual({ ada: [credits, credits, credits, credits] });
    });

    itInRounds('does not deadlock with other customers, budgets of tokens and other months', async () => {
      const calls = 24;
      const { ledger, ids, reservation } = await setUpCustomers(2 * calls);
      const budgets = [Date.now(), Date.now() + 1].map((tokenId) => ({ tokenId, monthlyCredits: 1000 }));
      let runs = 0;
      /** A deadlock makes the transaction run again. */
      const transaction = (work: () => Promise<unknown>) =>
        db.database.transaction(() => {
          runs += 1;
          return work();
        });
      const one = async (call: number) => {
        const both = [2 * call, 2 * call + 1] as const;
        const common = { month: call % 3 ? march : april, budgets: call % 4 < 2 ? budgets : budgets.toReversed() };
        const customers = call % 2 ? ['ada', 'bo'] : ['bo', 'ada'];
        const reservations = both.map((index, at) => reservation(index, 2, { ...common, customer: customers[at]! }));
        await transaction(() => ledger.reserveAll(reservations, 10_000));
        // A charge that returns no credits does not wait for the row of the month.
        await transaction(() => ledger.charge(ids[both[0]]!));
        await transaction(() => ledger.release(ids[both[1]]!));
      };
      await Promise.all(Array.from({ length: calls }, (_, call) => one(call)));
      expect(runs).toBe(3 * calls);
    });
  });

  it('is consistent after all of this', async () => {
    expect(await store.audit.faults()).toEqual([]);
  });
});
