import type { GenerationResponse } from '../../api/index.ts';
import { settingLabel, settingText } from '../../text.ts';
import { words } from '../../words.ts';

/** A setting of a generation, or of two compared generations. */
export interface Setting {
  readonly name: string;
  readonly values: readonly string[];
  /** Whether all generations have the same value. */
  readonly isSame: boolean;
}

type Names = (generation: GenerationResponse) => Readonly<Record<string, string>>;

const said = words.history.settings;
const ABSENT = '–';

/**
 * The settings of generations: a row for each setting of any generation.
 *
 * @param namesOf returns the names of the model, persona and member of a generation
 */
export function settingsOf(generations: readonly GenerationResponse[], namesOf: Names): Setting[] {
  const all = generations.map((generation) => ({
    ...namesOf(generation),
    ...(generation.prompt && { [said.prompt]: generation.prompt }),
    ...Object.fromEntries(
      Object.entries(generation.parameters).map(([name, value]) => [settingLabel(name), settingText(value)]),
    ),
  })) as Record<string, string>[];
  const names = [...new Set(all.flatMap(Object.keys))];
  return names.map((name) => {
    const values = all.map((each) => each[name] ?? ABSENT);
    return { name, values, isSame: new Set(values).size === 1 };
  });
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
