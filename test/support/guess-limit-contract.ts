import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { Response } from 'express';
import type { RateCounters } from '#wiring';
import { GuessLimit } from '../../apps/api/src/sharing/guess-limit.ts';
import { codeOf } from './code-of.ts';

const WRONG = { code: 'wrong' };

/** Limits of guests who guess passwords of links, whatever counts. */
export function guessLimitContract(store: string, counters: () => RateCounters): void {
  describe(`guesses at passwords of links, counted on ${store}`, () => {
    function newAddress() {
      const limit = new GuessLimit(counters());
      const address = randomUUID();
      let checked = 0;
      const guess = (shareId: number, check: () => Promise<unknown>, from = address): Promise<string> => {
        const headers = { setHeader: () => undefined } as unknown as Response;
        const each = { address: from, shareId, isWrong: (error: unknown) => error === WRONG };
        return codeOf(limit.run(each, headers, () => (checked++, check())));
      };
      return {
        right: (shareId = 1, from = address) => guess(shareId, () => Promise.resolve(), from),
        wrong: (shareId = 1) => guess(shareId, () => Promise.reject(WRONG as unknown as Error)),
        guess,
        checked: () => checked,
      };
    }
    const times = <T>(count: number, call: (index: number) => T) => Array.from({ length: count }, (_, n) => call(n));
    const inTurn = async (count: number, call: (index: number) => Promise<string>) => {
      const outcomes: string[] = [];
      for (let index = 0; index < count; index++) outcomes.push(await call(index));
      return outcomes;
    };

    it('pass when they are right, thirty at once, and never count', async () => {
      const { right, wrong } = newAddress();
      expect(await Promise.all(times(30, () => right()))).toEqual(Array(30).fill('ok'));
      expect(await inTurn(10, () => wrong())).toEqual(Array(10).fill('wrong'));
      expect(await right()).toBe('ok');
    });

    it('wait after the eleventh wrong one of an address for a link, and nobody else does', async () => {
      const { right, wrong } = newAddress();
      expect(await inTurn(10, () => wrong())).toEqual(Array(10).fill('wrong'));
      expect(await right()).toBe('ok');
      // One after the other, the first of them begins a wait.
      const outcomes = await Promise.all(times(4, () => wrong()));
      expect(outcomes.toSorted()).toEqual(['rate_limited', 'rate_limited', 'rate_limited', 'wrong']);
      expect(await Promise.all([right(2), right(1, randomUUID())])).toEqual(['ok', 'ok']);
    });

    it('wait after the thirty-first wrong one of an address over many links', async () => {
      const { right, wrong } = newAddress();
      expect(await inTurn(30, wrong)).toEqual(Array(30).fill('wrong'));
      expect(await right(100)).toBe('ok');
      const outcomes = await Promise.all(times(4, (index) => wrong(200 + index)));
      expect(outcomes.toSorted()).toEqual(['rate_limited', 'rate_limited', 'rate_limited', 'wrong']);
    });

    it('are checked a few at a time: of a hundred wrong ones at once most are refused', async () => {
      const { wrong, checked } = newAddress();
      const outcomes = await Promise.all(times(100, () => wrong()));
      expect(new Set(outcomes)).toEqual(new Set(['wrong', 'rate_limited']));
      expect(checked()).toBeGreaterThanOrEqual(11);
      expect(checked()).toBeLessThanOrEqual(14);
    });

    it('do not wait for refused ones, nor for others under way', async () => {
      const { right, wrong, guess } = newAddress();
      const isOver = Promise.withResolvers<void>();
      const underWay = times(3, () => guess(1, () => isOver.promise));
      expect(await inTurn(10, () => right())).toEqual(Array(10).fill('ok'));
      const waiting = times(150, () => guess(1, () => isOver.promise));
      const refused = waiting.slice(-40);
      expect(new Set(await Promise.all(refused))).toEqual(new Set(['unavailable']));
      isOver.resolve();
      await Promise.all([...underWay, ...waiting]);
      expect(await inTurn(10, () => wrong())).toEqual(Array(10).fill('wrong'));
      expect(await right()).toBe('ok');
    });
  });
}
