import type { GenerationResponse } from '../../api/index.ts';
import { words } from '../../words.ts';

/** One setting of a generation, or of two that are compared. */
export interface Setting {
  readonly name: string;
  readonly values: readonly string[];
  /** Whether the generations have the same. */
  readonly isSame: boolean;
}

type Names = (generation: GenerationResponse) => Readonly<Record<string, string>>;

const said = words.history.settings;
const ABSENT = '–';

/**
 * The settings of generations, one row for each that any of them has.
 *
 * @param namesOf the names of model, persona and member, which a generation has the ids of
 */
export function settingsOf(generations: readonly GenerationResponse[], namesOf: Names): Setting[] {
  const all = generations.map((generation) => ({
    ...namesOf(generation),
    ...(generation.prompt && { [said.prompt]: generation.prompt }),
    ...Object.fromEntries(Object.entries(generation.parameters).map(([name, value]) => [labelOf(name), textOf(value)])),
  })) as Record<string, string>[];
  const names = [...new Set(all.flatMap(Object.keys))];
  return names.map((name) => {
    const values = all.map((each) => each[name] ?? ABSENT);
    return { name, values, isSame: new Set(values).size === 1 };
  });
}

/** `enhance_prompt` → `Enhance prompt` */
function labelOf(name: string): string {
  const text = name.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** `850 ms`, `12 s`, `2 min` between two times. */
export function elapsed(from: string, to: string): string {
  const seconds = Math.max(0, (Date.parse(to) - Date.parse(from)) / 1000);
  if (seconds < 1) return unit(seconds * 1000, 'millisecond', 0);
  return seconds < 120 ? unit(seconds, 'second', seconds < 10 ? 1 : 0) : unit(seconds / 60, 'minute', 0);
}

function unit(value: number, name: string, maximumFractionDigits: number): string {
  return value.toLocaleString('en', { style: 'unit', unit: name, unitDisplay: 'short', maximumFractionDigits });
}
