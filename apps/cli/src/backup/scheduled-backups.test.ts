import { beforeEach, describe, expect, it } from '@jest/globals';
import { readSettings } from '#config';
import { freePort, StartError } from '#process';
import { temporaryFolder } from '#testing/sources';
import { eventually } from '../../../../test/support/eventually.ts';
import type { Backup } from './backup.ts';
import { nextTime, ScheduledBackups } from './scheduled-backups.ts';

it.each([
  ['30 3 * * *', '2026-11-24T03:29:59Z', '2026-11-24T03:30:00Z'],
  ['30 3 * * *', '2026-11-24T03:30:00Z', '2026-11-25T03:30:00Z'],
  ['0 */6 * * *', '2026-11-24T23:00:00Z', '2026-11-25T00:00:00Z'],
  ['0 0 * * 0', '2026-11-24T00:00:00Z', '2026-11-29T00:00:00Z'],
])('the next time of a schedule of %s after %s is %s, in UTC', (schedule, time, next) => {
  expect(nextTime(schedule, new Date(time))).toEqual(new Date(next));
});

describe('scheduled backups', () => {
  const { fileAt } = temporaryFolder();
  let settings: ReturnType<typeof readSettings>;
  beforeEach(async () => {
    settings = readSettings({
      BACKUP_SCHEDULE: '* * * * *',
      WORKER_METRICS_PORT: String(await freePort()),
      DATA_DIR: fileAt('.'),
      LOG_LEVEL: 'silent',
    });
  });

  const metrics = async () => {
    const response = await fetch(`http://127.0.0.1:${settings.metrics.workerPort}/metrics`);
    const lines = (await response.text()).split('\n').filter((line) => line.startsWith('x12_'));
    return Object.fromEntries(lines.map((line) => line.split(' '))) as Record<string, string>;
  };

  it('show by a metric that the last one failed, until one succeeds', async () => {
    // Each look at the clock is half a minute after the one before, while it goes.
    let [time, isGoing] = [Date.parse('2026-11-24T12:00:00Z'), true];
    const clock = { now: () => new Date((time += isGoing ? 30_000 : 0)) };
    const name = '2026-11-24T12-30-00.000Z';
    const made = { name, path: '', manifest: { objects: 1, bytes: 1, missing: 0 } } as Backup;
    const tried: ((backup: Backup) => void)[] = [];
    const backups = new ScheduledBackups(
      settings,
      fileAt('.'),
      () =>
        new Promise((resolve, reject) => {
          tried.push(resolve);
          if (tried.length === 1) reject(new StartError('the disk is full'));
        }),
      clock,
    );
    await backups.start();
    await eventually(() => tried.length === 2);
    expect(await metrics()).toMatchObject({ x12_backup_failing: '1' });
    isGoing = false;
    tried[1]!(made);
    await eventually(async () => (await metrics()).x12_backup_failing === '0');
    const seconds = String(Date.parse('2026-11-24T12:30:00Z') / 1000);
    expect(await metrics()).toMatchObject({ x12_backup_last_success_timestamp_seconds: seconds });
    await backups.stop();
  });

  it('are refused without a schedule', async () => {
    const none = readSettings({ DATA_DIR: fileAt('.'), LOG_LEVEL: 'silent' });
    const backups = new ScheduledBackups(none, fileAt('.'), () => Promise.reject(new Error()), {
      now: () => new Date(),
    });
    await expect(backups.start()).rejects.toThrow(/^BACKUP_SCHEDULE is missing/);
  });
});
