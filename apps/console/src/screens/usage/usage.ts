import type { UsageDto } from '../../api/index.ts';

/** `2026-11`, a calendar month in UTC. */
export type Month = string;

export function monthOf(time: Date): Month {
  return time.toISOString().slice(0, 7);
}

/** The month of an address, or the current month if the text is invalid or a later month. */
export function monthFrom(text: string, now: Date): Month {
  const current = monthOf(now);
  return /^2\d{3}-(0[1-9]|1[0-2])$/.test(text) && text <= current ? text : current;
}

export function addMonths(month: Month, steps: number): Month {
  const [year, index] = month.split('-').map(Number) as [number, number];
  return monthOf(new Date(Date.UTC(year, index - 1 + steps)));
}

/** The days of a month: `2026-11-01` and so on. */
export function daysOf(month: Month): readonly string[] {
  const [year, index] = month.split('-').map(Number) as [number, number];
  const last = new Date(Date.UTC(year, index, 0)).getUTCDate();
  return Array.from({ length: last }, (_, day) => `${month}-${String(day + 1).padStart(2, '0')}`);
}

/** The day of the month, and the days left, including today. */
export function daysAround(now: Date): { readonly day: number; readonly left: number } {
  const day = now.getUTCDate();
  return { day, left: daysOf(monthOf(now)).length - day + 1 };
}

export interface UsageRow {
  readonly name: string;
  readonly used: number;
  readonly reserved: number;
  readonly generations: number;
}

/** Sums by one property, most credits first. */
export function sumBy(usage: readonly UsageDto[], by: 'day' | 'model' | 'email' | 'customer'): readonly UsageRow[] {
  const sums = new Map<string, UsageRow>();
  for (const { used, reserved, generations, [by]: value } of usage) {
    const name = value ?? '';
    const sum = sums.get(name) ?? { name, used: 0, reserved: 0, generations: 0 };
    sums.set(name, {
      name,
      used: sum.used + used,
      reserved: sum.reserved + reserved,
      generations: sum.generations + generations,
    });
  }
  return [...sums.values()].toSorted((one, other) => other.used - one.used);
}

export interface Series {
  /** Null for the sum of the other models. */
  readonly model: string | null;
  readonly used: number;
}

export interface DayBar {
  readonly day: string;
  readonly used: number;
  /** Credits of each series, in its order. */
  readonly parts: readonly number[];
}

export interface DayBars {
  readonly series: readonly Series[];
  readonly bars: readonly DayBar[];
}

const MOST_SERIES = 6;

/** A bar for each day of the month, divided into the models that used most and the sum of the others. */
export function barsOf(usage: readonly UsageDto[], month: Month): DayBars {
  const models = sumBy(usage, 'model').filter(({ used }) => used > 0);
  const shown = models.length > MOST_SERIES ? models.slice(0, MOST_SERIES - 1) : models;
  const rest = models.slice(shown.length).reduce((sum, { used }) => sum + used, 0);
  const named: Series[] = shown.map(({ name, used }) => ({ model: name, used }));
  const series = rest > 0 ? [...named, { model: null, used: rest }] : named;
  const indexOf = new Map(shown.map(({ name }, index) => [name, index]));
  const parts = new Map(daysOf(month).map((day) => [day, series.map(() => 0)]));
  for (const { day, model, used } of usage) {
    const ofDay = parts.get(day ?? '');
    const index = indexOf.get(model ?? '') ?? shown.length;
    if (ofDay && used > 0) ofDay[index] = (ofDay[index] ?? 0) + used;
  }
  const bars = [...parts].map(([day, each]) => ({ day, parts: each, used: each.reduce((sum, part) => sum + part, 0) }));
  return { series, bars };
}

/** Round values from 0 to at least `most`, for the lines of a chart: 2 to 5 of them above 0. */
export function ticksUpTo(most: number): readonly number[] {
  const rough = Math.max(1, most) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(
    1,
    [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= rough)!,
  );
  const count = Math.max(1, Math.ceil(most / step));
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}
