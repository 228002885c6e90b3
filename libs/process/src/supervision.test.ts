import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { temporaryFolder } from '../../sources/src/testing/temporary-folder.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { signal } from '../../../test/support/started-service.ts';
import { ChildProgram, keepRunning, SupervisedProgram } from './supervision.ts';

/** A hanging program is noticed after 1.5 s instead of half a minute. */
const HEARTBEAT_MS = 250;
/** Long enough for a program to be killed whose heartbeats are not heard. */
const LIFE_MS = 10 * HEARTBEAT_MS;
const THIS = (name: string) => JSON.stringify(join(import.meta.dirname, name));

const { fileAt } = temporaryFolder();
let running: SupervisedProgram[];
beforeEach(() => {
  running = [];
});
afterEach(() => Promise.all(running.map((each) => each.stop(2000))));

/** A program that runs `body`, in which `started()` notes the process id, and `lives()` that it has not been killed. */
function programThat(body: string, name = 'program') {
  const file = fileAt(`${name}.mjs`);
  const notes = fileAt(`${name}-notes`);
  const script = `
    import { appendFileSync, readFileSync } from 'node:fs';
    import { runProgram } from ${THIS('program.ts')};
    import { SupervisedProgram } from ${THIS('supervision.ts')};
    const isFirst = readFileSync(${JSON.stringify(notes)}, 'utf8') === '';
    const note = (text) => appendFileSync(${JSON.stringify(notes)}, text + '\\n');
    const started = () => note(process.pid);
    const lives = () => setTimeout(() => note('lives'), ${LIFE_MS});
    ${body}`;
  writeFileSync(file, script);
  writeFileSync(notes, '');
  const noted = () => readFileSync(notes, 'utf8').split('\n').filter(Boolean);
  const pid = () => Number(noted()[0]);
  return { file, noted, pid };
}

async function supervise(body: string, name?: string) {
  const { file, noted, pid } = programThat(body, name);
  const lines: string[] = [];
  const options = { name: 'the program', file, env: process.env, heartbeatMs: HEARTBEAT_MS };
  const program = new SupervisedProgram(options, (line) => lines.push(line));
  running.push(program);
  await program.start();
  return { noted, pid, lines };
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
    const reason = 'killed, as it did not respond for 1.5 s';
    const hanging = Object.entries(HANGS).map(async ([how, { hang, check }]) => {
      const { noted, lines } = await supervise(
        `const start = async () => { started(); if (isFirst) { ${hang} } else lives(); };
        await runProgram({ start, stop: async () => {}, ...(isFirst && { ${check} }) }, 1000, ${HEARTBEAT_MS});`,
        how.replaceAll(' ', '-'),
      );
      await eventually(() => noted().includes('lives'));
      expect([how, lines]).toEqual([how, [`the program ended (${reason}); it starts again at once`]]);
      expect([how, noted().indexOf('lives')]).toEqual([how, 2]);
    });
    await Promise.all(hanging);
  });

  it('survives a suspension of the whole machine', async () => {
    const { noted, pid, lines } = await supervise(`process.on('SIGCONT', lives); ${PLAIN}`);
    signal(pid(), 'SIGSTOP');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LIFE_MS);
    signal(pid(), 'SIGCONT');
    await eventually(() => noted().length > 1);
    expect([noted(), lines]).toEqual([[String(pid()), 'lives'], []]);
  });

  it('that was stopped by SIGSTOP stops cleanly', async () => {
    const { file, pid } = programThat(PLAIN);
    const child = new ChildProgram({ name: 'the program', file, env: process.env });
    await child.ready;
    signal(pid(), 'SIGSTOP');
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
  for (const name of ['SIGSTOP', 'SIGTERM'] as const) signal(supervisor.pid(), name);
  expect(await child.ended).toBeNull();
});

describe('a program that ends again and again', () => {
  const MINUTE_MS = 60_000;
  afterEach(() => void jest.restoreAllMocks());

  /** Reports of a program that runs for so long each time. */
  async function reportsOf(...runsMs: readonly number[]): Promise<string[]> {
    let now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    const [stopping, lines] = [new AbortController(), [] as string[]];
    const ended = async () => {
      const ranMs = runsMs[lines.length];
      if (ranMs === undefined) stopping.abort();
      else now += ranMs;
      return 'it ended';
    };
    const report = (line: string) => void lines.push(line.replace(/^it ended; it starts again /, ''));
    await keepRunning({ ended, restart: async () => undefined, report, longestDelayMs: 1000 }, stopping.signal);
    return lines;
  }

  it('starts at once, then after a delay that doubles up to the longest one', async () => {
    expect(await reportsOf(0, MINUTE_MS, 0, 0)).toEqual(['at once', 'in 0.5 s', 'in 1 s', 'in 1 s']);
  });

  it('starts at once again when it has run for more than a minute', async () => {
    expect(await reportsOf(0, 0, MINUTE_MS + 1, 0)).toEqual(['at once', 'in 0.5 s', 'at once', 'in 0.5 s']);
  });
});
