import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../../../test/support/eventually.ts';
import { signal } from '../../../test/support/started-service.ts';
import { ChildProgram, SupervisedProgram } from './supervision.ts';

/** A hanging program is noticed after 0.6 s instead of half a minute. */
const HEARTBEAT_MS = 100;
const THIS = (name: string) => JSON.stringify(join(import.meta.dirname, name));

let folder: string;
let running: SupervisedProgram[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'x12-supervision-'));
  running = [];
});
afterEach(async () => {
  await Promise.all(running.map((each) => each.stop(2000)));
  rmSync(folder, { recursive: true });
});

/** A program that runs `body`, in which `started()` records the process id. */
function programThat(body: string, name = 'program') {
  const file = join(folder, `${name}.mjs`);
  const notes = join(folder, `${name}-starts`);
  const script = `
    import { appendFileSync, readFileSync } from 'node:fs';
    import { runProgram } from ${THIS('program.ts')};
    import { SupervisedProgram } from ${THIS('supervision.ts')};
    const isFirst = readFileSync(${JSON.stringify(notes)}, 'utf8') === '';
    const started = () => appendFileSync(${JSON.stringify(notes)}, process.pid + '\\n');
    ${body}`;
  writeFileSync(file, script);
  writeFileSync(notes, '');
  /** The process ids of the starts so far. */
  const starts = () => readFileSync(notes, 'utf8').split('\n').filter(Boolean).map(Number);
  return { file, starts };
}

async function supervise(body: string, name?: string) {
  const { file, starts } = programThat(body, name);
  const lines: string[] = [];
  const options = { name: 'the program', file, env: process.env, heartbeatMs: HEARTBEAT_MS };
  const program = new SupervisedProgram(options, (line) => lines.push(line));
  running.push(program);
  await program.start();
  return { starts, lines };
}

const PLAIN = `await runProgram({ start: async () => started(), stop: async () => {} }, 1000, ${HEARTBEAT_MS});`;

describe('a supervised program', () => {
  /** How the first start hangs; the second start is healthy. */
  const HANGS = {
    'is stopped by SIGSTOP': { hang: 'setTimeout(() => process.kill(process.pid, "SIGSTOP"), 300)', check: '' },
    'never returns to its event loop': { hang: 'setTimeout(() => { for (;;); }, 300)', check: '' },
    'no longer responds to requests': { hang: '', check: 'check: () => new Promise(() => undefined)' },
  };

  it('that hangs is killed and restarted, and the reason is reported', async () => {
    const reason = 'killed, as it did not respond for 0.6 s';
    const hanging = Object.entries(HANGS).map(async ([how, { hang, check }]) => {
      const { starts, lines } = await supervise(
        `const start = async () => { started(); if (isFirst) { ${hang} } };
        await runProgram({ start, stop: async () => {}, ...(isFirst && { ${check} }) }, 1000, ${HEARTBEAT_MS});`,
        how.replaceAll(' ', '-'),
      );
      await eventually(() => starts().length === 2);
      expect([how, lines]).toEqual([how, [`the program ended (${reason}); it starts again in 0.5 s`]]);
      await sleep(10 * HEARTBEAT_MS);
      expect([how, starts().length]).toEqual([how, 2]);
    });
    await Promise.all(hanging);
  });

  it('survives a suspension of the whole machine', async () => {
    const { starts, lines } = await supervise(PLAIN);
    await sleep(5 * HEARTBEAT_MS);
    const [pid] = starts();
    signal(pid!, 'SIGSTOP');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20 * HEARTBEAT_MS);
    signal(pid!, 'SIGCONT');
    await sleep(10 * HEARTBEAT_MS);
    expect([starts(), lines]).toEqual([[pid], []]);
  });

  it('that was stopped by SIGSTOP stops cleanly', async () => {
    const { file, starts } = programThat(PLAIN);
    const child = new ChildProgram({ name: 'the program', file, env: process.env });
    await child.ready;
    signal(starts()[0]!, 'SIGSTOP');
    await child.stop(5000);
    expect(await child.ended).toBeNull();
  });
});

it('a supervisor that was stopped by SIGSTOP is continued by its programs, and handles a pending SIGTERM', async () => {
  const { file } = programThat(PLAIN);
  const supervisor = programThat(
    `const program = new SupervisedProgram(
        { name: 'it', file: ${JSON.stringify(file)}, env: process.env, heartbeatMs: ${HEARTBEAT_MS} }, () => {});
      const start = async () => { await program.start(); started(); };
      await runProgram({ start, stop: () => program.stop(1000) }, 3000);`,
    'supervisor',
  );
  const child = new ChildProgram({ name: 'the supervisor', file: supervisor.file, env: process.env });
  await child.ready;
  for (const name of ['SIGSTOP', 'SIGTERM'] as const) signal(supervisor.starts()[0]!, name);
  expect(await child.ended).toBeNull();
});
