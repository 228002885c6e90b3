import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../../../test/support/eventually.ts';
import { signal } from '../../../test/support/started-service.ts';
import { ChildProgram, SupervisedProgram } from './supervision.ts';

/** So a program that hangs is noticed after 0.6 s instead of half a minute. */
const HEARTBEAT_MS = 100;
const THIS = (name: string) => JSON.stringify(join(import.meta.dirname, name));

let folder: string;
let lines: string[];
let running: SupervisedProgram | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'x12-supervision-'));
  lines = [];
});
afterEach(async () => {
  await running?.stop(2000);
  running = undefined;
  rmSync(folder, { recursive: true });
});

/** The file of a program that runs `body`; `started()` in it notes its process id. */
function programThat(body: string, name = 'program.mjs'): string {
  const file = join(folder, name);
  const script = `
    import { appendFileSync } from 'node:fs';
    import { runProgram } from ${THIS('program.ts')};
    import { SupervisedProgram } from ${THIS('supervision.ts')};
    const started = () => appendFileSync(${JSON.stringify(join(folder, 'starts'))}, process.pid + '\\n');
    ${body}`;
  writeFileSync(file, script);
  writeFileSync(join(folder, 'starts'), '');
  return file;
}

/** The process ids of its starts so far. */
const starts = () => readFileSync(join(folder, 'starts'), 'utf8').split('\n').filter(Boolean).map(Number);

async function supervise(program: string): Promise<void> {
  const file = programThat(program);
  const options = { name: 'the program', file, env: process.env, heartbeatMs: HEARTBEAT_MS };
  running = new SupervisedProgram(options, (line) => lines.push(line));
  await running.start();
}

const PLAIN = `await runProgram({ start: async () => started(), stop: async () => {} }, 1000, ${HEARTBEAT_MS});`;

describe('a supervised program', () => {
  it.each([
    ['is stopped by SIGSTOP', 'setTimeout(() => process.kill(process.pid, "SIGSTOP"), 300)', ''],
    ['never returns to its event loop', 'setTimeout(() => { for (;;); }, 300)', ''],
    ['no longer responds to requests', '', 'check: () => new Promise(() => undefined)'],
  ])('is killed and started again, and the reason is reported, when it %s', async (_name, hang, check) => {
    // Its second start is a healthy one.
    await supervise(`
      const { readFileSync } = await import('node:fs');
      const isFirst = readFileSync(${JSON.stringify(join(folder, 'starts'))}, 'utf8') === '';
      const start = async () => { started(); if (isFirst) { ${hang} } };
      await runProgram({ start, stop: async () => {}, ...(isFirst && { ${check} }) }, 1000, ${HEARTBEAT_MS});`);
    await eventually(() => starts().length === 2);
    const reason = 'killed, as it did not respond for 0.6 s';
    expect(lines).toEqual([`the program ended (${reason}); it starts again in 0.5 s`]);
    await sleep(10 * HEARTBEAT_MS);
    expect(starts()).toHaveLength(2);
  });

  it('goes on after the whole machine was suspended', async () => {
    await supervise(PLAIN);
    await sleep(5 * HEARTBEAT_MS);
    const [pid] = starts();
    signal(pid!, 'SIGSTOP');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20 * HEARTBEAT_MS);
    signal(pid!, 'SIGCONT');
    await sleep(10 * HEARTBEAT_MS);
    expect([starts(), lines]).toEqual([[pid], []]);
  });

  it('stops cleanly when it is told to although it was stopped by SIGSTOP', async () => {
    const child = new ChildProgram({ name: 'the program', file: programThat(PLAIN), env: process.env });
    await child.ready;
    signal(starts()[0]!, 'SIGSTOP');
    await child.stop(5000);
    expect(await child.ended).toBeNull();
  });
});

describe('a supervisor', () => {
  it('that was stopped by SIGSTOP is continued by its programs, and so takes the SIGTERM that waits for it', async () => {
    const file = programThat(PLAIN.replace('started()', 'undefined'));
    const supervisor = programThat(
      `const program = new SupervisedProgram(
        { name: 'it', file: ${JSON.stringify(file)}, env: process.env, heartbeatMs: ${HEARTBEAT_MS} }, () => {});
      const start = async () => { await program.start(); started(); };
      await runProgram({ start, stop: () => program.stop(1000) }, 3000);`,
      'supervisor.mjs',
    );
    const child = new ChildProgram({ name: 'the supervisor', file: supervisor, env: process.env });
    await child.ready;
    for (const name of ['SIGSTOP', 'SIGTERM'] as const) signal(starts()[0]!, name);
    expect(await child.ended).toBeNull();
  });
});
