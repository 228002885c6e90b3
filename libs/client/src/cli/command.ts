import type { Session } from './session.ts';

/** An option of a command. `value` is the name of its value in the help; a flag has none. */
export interface Option {
  readonly kind: 'flag' | 'integer' | 'list' | 'text';
  readonly value?: string;
  readonly help: string;
}

export type Options = Readonly<Record<string, Option>>;

interface Values {
  readonly flag: boolean;
  readonly integer: number;
  readonly list: readonly string[];
  readonly text: string;
}

/** The arguments and options that a command line gives to its command. */
export interface Call<Given = object> {
  readonly args: readonly string[];
  readonly options: Given;
}

type GivenOf<O extends Options> = { readonly [Name in keyof O]?: Values[O[Name]['kind']] };
type Handler<O extends Options> = (session: Session, call: Call<GivenOf<O>>) => Promise<void>;

/** A command: the source of its parsing, its help and its completion. */
export interface Command<O extends Options = Options> {
  /** One word or two. */
  readonly name: string;
  /** Names of its arguments: `ID` is a positive integer, `FILE…` one or more. */
  readonly args: string;
  readonly help: string;
  readonly options: O;
  /** Loads the code of the command, when it runs. */
  readonly load: () => Promise<Handler<O>>;
}

/** Checks the code of a command against its options. */
export const command = <const O extends Options>(given: Command<O>): Command => given as unknown as Command;

export const flag = (help: string) => ({ kind: 'flag', help }) as const;
export const text = (value: string, help: string) => ({ kind: 'text', value, help }) as const;
export const integer = (value: string, help: string) => ({ kind: 'integer', value, help }) as const;
/** An option that may be repeated. */
export const list = (value: string, help: string) => ({ kind: 'list', value, help }) as const;

/** The options of each command. */
export const COMMON = {
  json: flag('Prints one JSON value; `listen` prints one a line.'),
  help: flag('Prints this help.'),
};
