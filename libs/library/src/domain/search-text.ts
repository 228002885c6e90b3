import type { ItemKind } from './item.ts';
import { isPrefix, wordsOf } from './words.ts';

/** Words of an item that are searched; further words of a prompt are not. */
const MAX_WORDS = 2_000;
/** Units of a query: a long prompt can be pasted whole, of which the first words are searched. */
export const MAX_QUERY = 10_000;
/** Words of a query; further ones are not searched. */
const MAX_QUERY_WORDS = 12;
/** Positions of a word that count for its rank. */
const MAX_POSITIONS = 8;
const MAX_FACET_UNITS = 200;

/** The facts of an item that are searched. */
export interface SearchedFacts {
  readonly workspaceId: number;
  readonly kind: ItemKind;
  readonly origin: string;
  readonly model: string | null;
  readonly personaId: number | null;
  readonly userId: number | null;
  readonly prompt: string | null;
  readonly name: string;
  readonly filename: string;
  readonly tags: readonly string[];
}

/** A fact that an item is found by as a whole. */
export type Facet =
  | { readonly workspace: number }
  | { readonly kind: string }
  | { readonly origin: string }
  | { readonly model: string }
  | { readonly persona: number }
  | { readonly user: number }
  | { readonly tag: string };

/**
 * The search document of an item, as the text of a `tsvector` of PostgreSQL: its words, those of tags before those of the
 * prompt before those of the names and the model, and its facets. One index finds both.
 */
export function searchDocument(facts: SearchedFacts): string {
  const { prompt, name, filename, model, tags } = facts;
  const positions = new Map<string, string[]>();
  let position = 0;
  for (const [weight, texts] of [
    ['A', tags],
    ['B', [prompt]],
    ['C', [...namesOf({ name, filename }), model]],
  ] as const) {
    for (const text of texts) {
      for (const word of wordsOf(text ?? '', MAX_WORDS - position)) {
        const known = positions.get(word) ?? [];
        position++;
        if (known.length < MAX_POSITIONS) positions.set(word, [...known, `${position}${weight}`]);
      }
    }
  }
  const words = [...positions].map(([word, at]) => `${quoted(word)}:${at.join()}`);
  return [...facetsOf(facts).map(facetText), ...words].join(' ');
}

/** The words of an item that typing errors are compared with. */
export function vocabularyOf({ prompt, name, filename, model, tags }: SearchedFacts): readonly string[] {
  return [...new Set(wordsOf([...tags, prompt, ...namesOf({ name, filename }), model].join(' '), MAX_WORDS))];
}

/** The name, and that of the file if it is another. */
function namesOf({ name, filename }: Pick<SearchedFacts, 'name' | 'filename'>): readonly string[] {
  return [...new Set([name, filename])];
}

function facetsOf(facts: SearchedFacts): readonly Facet[] {
  const { workspaceId, kind, origin, model, personaId, userId, tags } = facts;
  return [
    { workspace: workspaceId },
    { kind },
    { origin },
    ...(model === null ? [] : [{ model }]),
    ...(personaId === null ? [] : [{ persona: personaId }]),
    ...(userId === null ? [] : [{ user: userId }]),
    ...tags.map((tag) => ({ tag })),
  ];
}

/** No word has an equals sign. */
function facetText(facet: Facet): string {
  const [[name, value]] = Object.entries(facet) as [[string, string | number]];
  return quoted(`${name}=${String(value).slice(0, MAX_FACET_UNITS)}`);
}

function quoted(text: string): string {
  return `'${text.replace(/['\\]/g, (mark) => mark + mark)}'`;
}

export function queryWords(text: string): readonly string[] {
  return wordsOf(text, MAX_QUERY_WORDS);
}

/** A word of a query, and what it may mean besides. */
export interface QueryWord {
  readonly word: string;
  /** Words that it is a typing error of. */
  readonly corrections: readonly string[];
  /** Personas whose names have a word that begins with it. */
  readonly personaIds: readonly number[];
}

/** A search for items with all of these words, as the text of a `tsquery` of PostgreSQL; null for no words. */
export function wordQuery(words: readonly QueryWord[]): string | null {
  const alternatives = words.map(({ word, corrections, personaIds }) => {
    const own = isPrefix(word) ? `${quoted(word)}:*` : quoted(word);
    const personas = personaIds.map((persona) => facetText({ persona }));
    return `(${[own, ...corrections.map(quoted), ...personas].join(' | ')})`;
  });
  return alternatives.length === 0 ? null : alternatives.join(' & ');
}

/** A search for items with one facet of each group. */
export function facetQuery(groups: readonly (readonly Facet[])[]): string {
  return groups.map((group) => `(${group.map(facetText).join(' | ')})`).join(' & ');
}
