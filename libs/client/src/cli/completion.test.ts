import { execFileSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { COMMANDS } from './commands.ts';
import { completionScript } from './completion.ts';

/** The completions that bash offers for the last word. */
function offered(...words: string[]): string[] {
  const line = words.map((word) => `'${word}'`).join(' ');
  const ask = `COMP_WORDS=(${line}); COMP_CWORD=${words.length - 1}; _x12; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const script = `${completionScript('bash', COMMANDS)}${ask}`;
  return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).split('\n').filter(Boolean);
}

describe('the completion', () => {
  it('offers commands, the second word of a command, and the options of a command', () => {
    expect(offered('x12', 'lo')).toEqual(['login', 'logout']);
    expect(offered('x12', 'board', '')).toEqual(['pull']);
    expect(offered('x12', 'batch', 'run', 'table.csv', '--o')).toEqual(['--out']);
    expect(offered('x12', 'completion', 'z')).toEqual(['zsh']);
    expect(offered('x12', 'wait', '--k')).toEqual([]);
  });

  it.each(['zsh', 'fish'] as const)('has each command and each option in %s', (shell) => {
    const script = completionScript(shell, COMMANDS);
    for (const { name, options } of COMMANDS) {
      for (const word of [...name.split(' '), ...Object.keys(options)]) expect(script).toContain(word);
    }
  });
});
