import { buildProgram } from '../../apps/cli/src/program.ts';

export interface CommandResult {
  readonly code: number;
  /** Standard output. */
  readonly out: string;
  /** Standard error. */
  readonly complaints: string;
}

/** Runs the operator's command line within this process. */
export async function runCommand(
  env: Readonly<Record<string, string | undefined>>,
  ...args: string[]
): Promise<CommandResult> {
  let [code, out, complaints] = [0, '', ''];
  const program = buildProgram({
    env,
    readPassword: () => Promise.resolve(env.PASSWORD ?? ''),
    write: (text) => (out += text),
    complain: (text) => (complaints += text),
    exit: (given) => (code = given),
  });
  await program.parseAsync(args, { from: 'user' });
  return { code, out, complaints };
}
