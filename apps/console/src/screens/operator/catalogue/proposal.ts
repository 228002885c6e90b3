import type { Entry, Kind, Parameter, Task } from './entry.ts';

export interface VendorPrice {
  readonly amount: number;
  readonly currency: string;
  readonly unit: string;
}

/** A question that the vendor's description of a model does not decide. */
export type Question =
  | { readonly about: 'cost'; readonly price: VendorPrice | null }
  | { readonly about: 'kind'; readonly choices: readonly Kind[] }
  | { readonly about: 'tasks'; readonly suggested: readonly Task[] }
  | { readonly about: 'prompt'; readonly choices: readonly string[] }
  | {
      readonly about: 'picture';
      readonly field: string;
      readonly description: string | null;
      readonly choices: readonly string[];
    }
  | { readonly about: 'default'; readonly parameter: string; readonly declaration: Parameter };

export interface Proposal {
  readonly entry: Entry & { readonly id: string };
  readonly questions: readonly Question[];
  readonly left_out: readonly { readonly field: string; readonly reason: string }[];
}

/** Answers that the service needs for its proposal. The others only change the entry. */
export interface Answers {
  readonly kind?: Kind;
  readonly prompt?: string;
  /** By the vendor's field. */
  readonly pictures?: Readonly<Record<string, string>>;
  /** By parameter. */
  readonly defaults?: Readonly<Record<string, unknown>>;
}

/** The same for the same question of two proposals. */
export function keyOf(question: Question): string {
  if (question.about === 'picture') return `picture ${question.field}`;
  return question.about === 'default' ? `default ${question.parameter}` : question.about;
}

/** The questions of all proposals, in their order; an answered question is not in the next proposal and stays here. */
export function allQuestions(asked: readonly Question[], next: readonly Question[]): readonly Question[] {
  const known = new Map(asked.map((question) => [keyOf(question), question]));
  for (const question of next) known.set(keyOf(question), question);
  // The cost comes last: it may depend on everything else.
  return [...known.values()].sort((a, b) => Number(a.about === 'cost') - Number(b.about === 'cost'));
}

/** The questions that must be answered. Tasks may be none. @param next the questions of the last proposal */
export function openQuestions(next: readonly Question[], entry: Entry): readonly Question[] {
  return next.filter(({ about }) => about !== 'tasks' && !(about === 'cost' && entry.cost !== undefined));
}
