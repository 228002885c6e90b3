import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { UnitOfWork } from '#kernel';
import type { CreditFault, CreditLedger, Month, Reservation } from '../index.ts';
import { InMemoryCreditLedger } from './in-memory-credit-ledger.ts';

/** A ledger, and what its entries refer to. */
export interface CreditLedgerSetting {
  readonly ledger: CreditLedger;
  readonly unitOfWork: UnitOfWork;
  /** A new workspace with a member. */
  newWorkspace(): Promise<{ workspaceId: number; userId: number }>;
  newMember(workspaceId: number): Promise<number>;
  newGenerations(workspaceId: number, userId: number, count: number): Promise<number[]>;
  faults(): Promise<readonly CreditFault[]>;
}

const march: Month = '2026-03';
const april: Month = '2026-04';

/** What every adapter of `CreditLedger` must do. `make` gives the same store each time, or a new one. */
export function creditLedgerContract(name: string, make: () => Promise<CreditLedgerSetting>): void {
  describe(`credit ledger: ${name}`, () => {
    async function cast(generations: number) {
      const setting = await make();
      const { workspaceId, userId } = await setting.newWorkspace();
      const ids = await setting.newGenerations(workspaceId, userId, generations);
      const { ledger, unitOfWork } = setting;
      const reservation = (generationId: number, amount: number, month = march): Reservation => ({
        workspaceId,
        userId,
        generationId,
        month,
        amount,
      });
      const reserve = (generationId: number, amount: number, monthlyCredits: number, month = march) =>
        unitOfWork.run(() => ledger.reserve(reservation(generationId, amount, month), monthlyCredits));
      const used = async (month = march) => (await ledger.balance(workspaceId, month, 0)).used;
      const grant = (key: string, amount: number, month = march) =>
        ledger.grant({ key: `${workspaceId}-${key}`, workspaceId, month, amount, reason: 'test' });
      return { ...setting, workspaceId, userId, ids, reservation, reserve, used, grant };
    }

    it('has all of the plan and nothing used where nothing happened', async () => {
      const { ledger, workspaceId } = await cast(0);
      expect(await ledger.balance(workspaceId, march, 100)).toEqual({ allocation: 100, used: 0 });
    });

    it('reserves exactly what is left, and not a credit more', async () => {
      const { ids, reserve, used } = await cast(4);
      expect(await reserve(ids[0]!, 11, 10)).toBe('insufficient');
      expect(await reserve(ids[0]!, 7, 10)).toBe('reserved');
      expect(await reserve(ids[1]!, 4, 10)).toBe('insufficient');
      expect(await reserve(ids[2]!, 3, 10)).toBe('reserved');
      expect(await reserve(ids[3]!, 1, 10)).toBe('insufficient');
      expect(await used()).toBe(10);
    });

    it('reserves nothing credits where nothing is left, even when a smaller plan leaves less than nothing', async () => {
      const { ids, reserve, used } = await cast(3);
      expect(await reserve(ids[0]!, 0, 0)).toBe('reserved');
      expect(await reserve(ids[1]!, 10, 10)).toBe('reserved');
      expect(await reserve(ids[2]!, 0, 5)).toBe('reserved');
      expect(await used()).toBe(10);
    });

    it('counts each month and each workspace for itself', async () => {
      const { ids, reserve, used, ledger, newWorkspace } = await cast(2);
      expect(await reserve(ids[0]!, 10, 10, march)).toBe('reserved');
      expect(await reserve(ids[1]!, 10, 10, april)).toBe('reserved');
      const { workspaceId: other } = await newWorkspace();
      expect([await used(march), await used(april)]).toEqual([10, 10]);
      expect(await ledger.balance(other, march, 10)).toEqual({ allocation: 10, used: 0 });
    });

    it('reserves once for a generation, however often it is asked', async () => {
      const { ids, reserve, used, ledger } = await cast(1);
      expect(await reserve(ids[0]!, 6, 10)).toBe('reserved');
      expect(await reserve(ids[0]!, 6, 10)).toBe('reserved');
      await ledger.release(ids[0]!);
      expect(await reserve(ids[0]!, 6, 10)).toBe('reserved');
      expect(await used()).toBe(0);
    });

    it('keeps a charge, and gives back a release', async () => {
      const { ids, reserve, used, ledger } = await cast(2);
      await reserve(ids[0]!, 3, 10);
      await reserve(ids[1]!, 4, 10);
      expect(await ledger.settle(ids[0]!)).toBe(3);
      expect(await used()).toBe(7);
      expect(await ledger.release(ids[1]!)).toBe(4);
      expect(await used()).toBe(3);
    });

    it('lets the first end stand: a settled reservation is not released, a released one not settled', async () => {
      const { ids, reserve, used, ledger } = await cast(2);
      await reserve(ids[0]!, 3, 10);
      await reserve(ids[1]!, 4, 10);
      const moved: number[] = [];
      for (const end of [ledger.settle, ledger.release, ledger.settle]) {
        moved.push(await end.call(ledger, ids[0]!));
      }
      for (const end of [ledger.release, ledger.settle, ledger.release]) {
        moved.push(await end.call(ledger, ids[1]!));
      }
      expect(moved).toEqual([3, 0, 0, 4, 0, 0]);
      expect(await used()).toBe(3);
    });

    it('ends nothing that was never reserved', async () => {
      const { ids, ledger, used, reserve } = await cast(1);
      expect(await ledger.settle(ids[0]!)).toBe(0);
      expect(await ledger.release(ids[0]!)).toBe(0);
      expect(await used()).toBe(0);
      expect(await reserve(ids[0]!, 1, 1)).toBe('reserved');
    });

    it('gives a release back to the month that it was taken from', async () => {
      const { ids, reserve, used, ledger } = await cast(2);
      await reserve(ids[0]!, 5, 10, march);
      await reserve(ids[1]!, 5, 10, april);
      await ledger.release(ids[0]!);
      expect([await used(march), await used(april)]).toEqual([0, 5]);
    });

    it('adds grants to what the month has, each once', async () => {
      const { ids, reserve, grant, ledger, workspaceId } = await cast(3);
      await grant('welcome', 5);
      await grant('welcome', 5);
      await grant('sorry', 2, april);
      expect(await ledger.balance(workspaceId, march, 10)).toEqual({ allocation: 15, used: 0 });
      expect(await reserve(ids[0]!, 16, 10)).toBe('insufficient');
      expect(await reserve(ids[1]!, 15, 10)).toBe('reserved');
      await grant('more', 1);
      expect(await reserve(ids[2]!, 1, 10)).toBe('reserved');
      expect(await ledger.balance(workspaceId, march, 10)).toEqual({ allocation: 16, used: 16 });
    });

    it('never oversells: 50 reservations at once on 10 credits, 60 rounds, the first of a month among them', async () => {
      const { ledger, unitOfWork, newWorkspace, newGenerations } = await make();
      for (let round = 0; round < 60; round++) {
        const { workspaceId, userId } = await newWorkspace();
        const ids = await newGenerations(workspaceId, userId, 50);
        const answers = await Promise.all(
          ids.map((generationId) =>
            unitOfWork.run(() =>
              ledger.reserve({ workspaceId, userId, generationId, month: march, amount: 1 }, 10),
            ),
          ),
        );
        expect(answers.filter((answer) => answer === 'reserved')).toHaveLength(10);
        expect(await ledger.balance(workspaceId, march, 10)).toEqual({ allocation: 10, used: 10 });
      }
    });

    it('takes one effect when the same reservation is asked for many times at once', async () => {
      const { ids, reserve, used } = await cast(20);
      for (const id of ids) {
        const answers = await Promise.allSettled(Array.from({ length: 8 }, () => reserve(id, 1, 100)));
        for (const answer of answers) {
          if (answer.status === 'fulfilled') expect(answer.value).toBe('reserved');
          else expect(answer.reason).toMatchObject({ code: 'conflict' });
        }
        expect(await reserve(id, 1, 100)).toBe('reserved');
      }
      expect(await used()).toBe(20);
    });

    it('ends each reservation once when it is settled and released at once, again and again', async () => {
      const { ids, reserve, used, ledger } = await cast(40);
      for (const id of ids) await reserve(id, 1, 100);
      for (const id of ids) {
        await Promise.all(
          Array.from({ length: 6 }, (_, index) => (index % 2 ? ledger.settle(id) : ledger.release(id))),
        );
      }
      const standing = await used();
      for (const id of ids) await ledger.release(id);
      for (const id of ids) await ledger.settle(id);
      expect(await used()).toBe(standing);
    });

    it('lets nothing get lost between calls that reserve, settle and release at once', async () => {
      const { ids, reserve, used, ledger } = await cast(150);
      const kept = await Promise.all(
        ids.map(async (id, index) => {
          const amount = 1 + (index % 3);
          if ((await reserve(id, amount, 90)) === 'insufficient') return 0;
          if (index % 2) await ledger.settle(id);
          else await ledger.release(id);
          return index % 2 ? amount : 0;
        }),
      );
      expect(await used()).toBe(kept.reduce<number>((sum, amount) => sum + amount, 0));
      expect(await used()).toBeLessThanOrEqual(90);
    });

    it('does as the ledger in memory does, through any sequence of effects', async () => {
      const { ledger, unitOfWork, newWorkspace, newMember, newGenerations } = await make();
      const effect = fc.record({
        kind: fc.constantFrom('reserve' as const, 'settle' as const, 'release' as const, 'grant' as const),
        generation: fc.integer({ min: 0, max: 5 }),
        member: fc.integer({ min: 0, max: 1 }),
        month: fc.constantFrom(march, april),
        amount: fc.integer({ min: 1, max: 12 }),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(effect, { maxLength: 25 }), async (effects) => {
          const { workspaceId, userId } = await newWorkspace();
          const members = [userId, await newMember(workspaceId)];
          const ids = await newGenerations(workspaceId, userId, 6);
          const model = new InMemoryCreditLedger();
          const onBoth = async <T>(act: (ledger: CreditLedger) => Promise<T>) =>
            expect(await unitOfWork.run(() => act(ledger))).toEqual(await act(model));
          for (const { kind, generation, member, month, amount } of effects) {
            const generationId = ids[generation]!;
            if (kind === 'reserve') {
              const reservation = { workspaceId, userId: members[member]!, generationId, month, amount };
              await onBoth((each) => each.reserve(reservation, 20));
            } else if (kind === 'grant') {
              const key = `${workspaceId}-${generation}`;
              await onBoth((each) => each.grant({ key, workspaceId, month, amount, reason: 'test' }));
            } else {
              await onBoth((each) => each[kind](generationId));
            }
          }
          for (const month of [march, april]) await onBoth((each) => each.balance(workspaceId, month, 20));
        }),
        { numRuns: 60 },
      );
    });

    it('has clean books after all of this', async () => {
      const { faults } = await make();
      expect(await faults()).toEqual([]);
    });
  });
}
