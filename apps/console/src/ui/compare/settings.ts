import type { GenerationResponse } from '../../api/index.ts';
import { settingLabel, settingText } from '../../text.ts';
import { words } from '../words.ts';

/** A setting of a generation, or of compared generations. */
export interface Setting {
  readonly name: string;
  readonly values: readonly string[];
  /** True if all generations have the same value. */
  readonly isSame: boolean;
}

export type NamesOf = (generation: GenerationResponse) => Readonly<Record<string, string>>;

const text = words.settings;
const ABSENT = '–';

/**
 * The settings of generations: a row for each setting of any generation.
 *
 * @param generations null for an item that no generation made
 * @param namesOf returns the names of the model, persona and member of a generation
 */
export function settingsOf(generations: readonly (GenerationResponse | null)[], namesOf: NamesOf): Setting[] {
  const all = generations.map((generation) => (generation ? ofOne(generation, namesOf) : {}));
  const names = [...new Set(all.flatMap(Object.keys))];
  return names.map((name) => {
    const values = all.map((each) => each[name] ?? ABSENT);
    return { name, values, isSame: new Set(values).size === 1 };
  });
}

function ofOne(generation: GenerationResponse, namesOf: NamesOf): Readonly<Record<string, string>> {
  const { prompt, parameters } = generation;
  return {
    ...namesOf(generation),
    ...(prompt && { [text.prompt]: prompt }),
    ...Object.fromEntries(Object.entries(parameters).map(([name, value]) => [settingLabel(name), settingText(value)])),
  };
}
