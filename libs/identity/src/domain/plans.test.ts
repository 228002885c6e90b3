import { expect, it } from '@jest/globals';
import { planOf, type Plans } from './plans.ts';

const plans: Plans = { free: { id: 'free', monthlyCredits: 100, teams: false } };

it('A plan is what is configured under its name', () => {
  expect(planOf(plans, 'free')).toBe(plans.free);
});

it.each(['gone', 'constructor', '__proto__'])('A plan %s that is not configured gives nothing', (id) => {
  expect(planOf(plans, id)).toEqual({ id, monthlyCredits: 0, teams: false });
});
