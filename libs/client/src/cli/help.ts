import { COMMON, type Command, type Options } from './command.ts';
import { EXIT, EXIT_WORDS } from './failures.ts';

const INTRO = `x12 makes pictures and videos from the command line.

First: x12 login --url https://x12.example.com
Then:  x12 generate "a lake at dawn" --model MODEL --open`;

const ENVIRONMENT: readonly Row[] = [
  ['X12_URL', 'the address of the service, instead of the saved one'],
  ['X12_TOKEN', 'the API token, instead of the saved one'],
];

type Row = readonly [term: string, meaning: string];

/** The help of all commands. */
export function generalHelp(commands: readonly Command[]): string {
  const exits = Object.entries(EXIT_WORDS).map(([name, words]): Row => [
    String(EXIT[name as keyof typeof EXIT]),
    words,
  ]);
  return [
    INTRO,
    section(
      'Commands (x12 COMMAND --help lists the options)',
      commands.map(({ name, args, help }) => [`${name} ${args}`, help]),
    ),
    section('Options of every command', rowsOf(COMMON)),
    section('Environment', ENVIRONMENT),
    section('Exit codes', exits),
  ].join('\n\n');
}

export function helpOf({ name, args, help, options }: Command): string {
  const usage = `usage: x12 ${name} ${args}`.trim();
  return [`${usage}\n\n${help}`, section('Options', rowsOf({ ...options, ...COMMON }))].join('\n\n');
}

function rowsOf(options: Options): Row[] {
  return Object.entries(options).map(([name, { value = '', help }]) => [`--${name} ${value}`, help]);
}

function section(title: string, rows: readonly Row[]): string {
  const width = Math.max(...rows.map(([term]) => term.trim().length));
  return [`${title}:`, ...rows.map(([term, meaning]) => `  ${term.trim().padEnd(width)}  ${meaning}`)].join('\n');
}
