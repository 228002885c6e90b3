import { describe, expect, it } from '@jest/globals';
import { COMMANDS } from './commands.ts';
import { generalHelp, helpOf } from './help.ts';
import { parse } from './parse.ts';

const read = (...argv: string[]) => {
  const { command, call, isJson, wantsHelp } = parse(argv, COMMANDS)!;
  return { name: command.name, ...call, isJson, wantsHelp };
};

describe('a command line', () => {
  it('has a command of one word or two, its arguments and its options in any order', () => {
    expect(read('board', 'pull', '--json', '12', 'here')).toEqual({
      ...{ name: 'board pull', args: ['12', 'here'], options: {}, isJson: true, wantsHelp: false },
    });
    const { args, options } = read(
      'generate',
      '--param',
      'seed=1',
      'a lake',
      '--param=size=9x9',
      '--persona',
      '7',
      '--wait',
    );
    expect([args, options]).toEqual([['a lake'], { param: ['seed=1', 'size=9x9'], persona: 7, wait: true }]);
    expect(read('generate', '--', '--json').args).toEqual(['--json']);
  });

  it('asks for help without a command, and with --help and no arguments', () => {
    expect([parse([], COMMANDS), parse(['--help'], COMMANDS)]).toEqual([null, null]);
    expect(read('wait', '--help')).toMatchObject({ name: 'wait', wantsHelp: true });
  });

  it.each([
    [['paint'], 'there is no command paint'],
    [['board'], 'there is no command board'],
    [['--json', 'models'], 'a command comes before --json'],
    [['models', 'all'], 'usage: x12 models'],
    [['generate'], 'usage: x12 generate PROMPT'],
    [['share'], 'usage: x12 share FILE_ID…'],
    [['wait', '1', '2'], 'usage: x12 wait ID'],
    [['wait', '0'], 'ID must be a positive integer, not 0'],
    [['wait', '9007199254740992'], 'ID must be a positive integer'],
    [['share', '1', 'x'], 'FILE_ID must be a positive integer, not x'],
    [['find', 'a', '--limit', '1.5'], '--limit must be a positive integer, not 1.5'],
    [['completion', 'tcsh'], 'tcsh is none of bash|zsh|fish'],
    [['login', '--token', 'x12_secret'], "Unknown option '--token'"],
    [['generate', 'a', '--key'], "Option '--key <value>' argument missing"],
  ])('%j is refused', (argv, message) => {
    expect(() => parse(argv, COMMANDS)).toThrow(message);
  });
});

describe('the help', () => {
  it('names each command and exit code, and of a command each option', () => {
    const text = generalHelp(COMMANDS);
    for (const { name, args } of COMMANDS) expect(text).toContain(`  ${`${name} ${args}`.trim()}  `);
    for (const code of [0, 1, 2, 3, 4, 5, 130]) expect(text).toMatch(new RegExp(`^  ${code} +\\S`, 'm'));
    for (const command of COMMANDS) {
      for (const option of ['json', ...Object.keys(command.options)]) expect(helpOf(command)).toContain(`--${option} `);
    }
  });
});
