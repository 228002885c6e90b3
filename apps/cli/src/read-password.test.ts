import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, it, jest } from '@jest/globals';
import { buildProgram } from './program.ts';
import { readPassword } from './read-password.ts';

const terminal = () => Object.assign(new PassThrough(), { isTTY: true, setRawMode: jest.fn() });

it('reads a password from a prompt without showing it', async () => {
  const [input, output] = [terminal(), new PassThrough()];
  const password = readPassword(input, output);
  input.write('correct horse\r');
  expect(await password).toBe('correct horse');
  expect(input.setRawMode).toHaveBeenNthCalledWith(1, true);
  expect(await text(output.end())).toBe('Password: \n');
});

it.each(['\x03', '\x04'])('ends without a password at Ctrl-C and Ctrl-D', async (key) => {
  const input = terminal();
  const password = readPassword(input, new PassThrough());
  input.write(key);
  await expect(password).rejects.toThrow('no password was given');
});

it.each(['correct horse\n', 'correct horse\r\n', 'correct horse'])(
  'reads it from standard input: %j',
  async (typed) => {
    expect(await readPassword(new PassThrough().end(typed), new PassThrough())).toBe('correct horse');
  },
);

it('takes no password as an argument', async () => {
  const unused = (): never => {
    throw new Error('nothing is read or printed');
  };
  const program = buildProgram({ env: {}, readPassword: unused, write: unused, complain: unused, exit: unused });
  const users = program.commands.find((command) => command.name() === 'users')!;
  for (const command of users.commands) command.exitOverride().configureOutput({ writeErr: () => undefined });
  for (const command of [
    ['create', '--password', 'ada@example.com', 'secret'],
    ['set-password', 'a@b.c', 'secret'],
  ]) {
    await expect(program.parseAsync(['users', ...command], { from: 'user' })).rejects.toThrow('too many arguments');
  }
});
