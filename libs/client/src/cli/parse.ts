import { parseArgs } from 'node:util';
import { type Call, COMMON, type Command, type Option } from './command.ts';
import { UsageError } from './failures.ts';

export interface Parsed {
  readonly command: Command;
  readonly call: Call;
  readonly isJson: boolean;
  readonly wantsHelp: boolean;
}

/** @returns null for a command line without a command @throws UsageError */
export function parse(argv: readonly string[], commands: readonly Command[]): Parsed | null {
  if (argv.length === 0 || argv[0]!.startsWith('-')) return withoutCommand(argv);
  const isNamed = ({ name }: Command) => name === argv.slice(0, name.split(' ').length).join(' ');
  const command = commands.find(isNamed);
  if (!command) throw new UsageError(`there is no command ${argv[0]}: see x12 --help`);
  const { values, positionals } = read(command, argv.slice(command.name.split(' ').length));
  const { json = false, help = false, ...texts } = values;
  const isHelp = help === true;
  if (!isHelp) checkArguments(command, positionals);
  const options = Object.entries(texts).map(([name, value]) => [name, valueOf(name, command.options[name]!, value)]);
  const call = { args: positionals, options: Object.fromEntries(options) };
  return { command, call, isJson: json === true, wantsHelp: isHelp };
}

function withoutCommand(argv: readonly string[]): null {
  if (argv.length === 0 || argv[0] === '--help') return null;
  throw new UsageError(`a command comes before ${argv[0]}: see x12 --help`);
}

type Read = { values: Record<string, unknown>; positionals: string[] };

function read({ name, options }: Command, args: string[]): Read {
  const declared = Object.entries({ ...options, ...COMMON }).map(([each, { kind }]: [string, Option]) => [
    each,
    { type: kind === 'flag' ? 'boolean' : 'string', multiple: kind === 'list' },
  ]);
  try {
    return parseArgs({ args, options: Object.fromEntries(declared), allowPositionals: true });
  } catch (error) {
    throw new UsageError(`${(error as Error).message.split(/\. |\n/)[0]}: see x12 ${name} --help`);
  }
}

function checkArguments({ name, args }: Command, given: readonly string[]): void {
  const names = args === '' ? [] : args.split(' ');
  const isOpen = args.endsWith('…');
  if (given.length < names.length || (!isOpen && given.length > names.length)) {
    throw new UsageError(`usage: x12 ${name} ${args}`.trim());
  }
  given.forEach((value, at) => {
    const argument = (names[at] ?? names.at(-1)!).replace('…', '');
    if (/ID$/.test(argument)) integer(argument, value);
    const choices = argument.split('|');
    if (choices.length > 1 && !choices.includes(value)) throw new UsageError(`${value} is none of ${argument}`);
  });
}

function valueOf(name: string, { kind }: Option, value: unknown): unknown {
  return kind === 'integer' ? integer(`--${name}`, value as string) : value;
}

function integer(name: string, text: string): number {
  const value = Number(text);
  if (/^[0-9]+$/.test(text) && value > 0 && Number.isSafeInteger(value)) return value;
  throw new UsageError(`${name} must be a positive integer, not ${text}`);
}
