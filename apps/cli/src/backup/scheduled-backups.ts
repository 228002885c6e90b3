import { setTimeout as sleep } from 'node:timers/promises';
import { CronExpressionParser } from 'cron-parser';
import { pino, type Logger } from 'pino';
import { Gauge, Registry } from 'prom-client';
import { SettingsError, type Settings } from '#config';
import type { Clock } from '#kernel';
import { logOptions, MetricsServer, MetricsText } from '#wiring';
import { backupsIn, type Backup } from './backup.ts';
import type { BackupOptions } from './create.ts';
import { timeOf } from './rules.ts';

/** Maximum wait of a timer; after each wait the clock is read again. */
const LONGEST_WAIT_MS = 600_000;

/** The first time of a schedule after `time`. */
export function nextTime(schedule: string, time: Date): Date {
  return CronExpressionParser.parse(schedule, { currentDate: time, tz: 'UTC' }).next().toDate();
}

/**
 * Makes backups at the times of BACKUP_SCHEDULE, one after the other. A failed backup is logged, and shown by the
 * metrics until the next backup succeeds.
 */
export class ScheduledBackups {
  readonly #stopping = new AbortController();
  readonly #server: MetricsServer;
  readonly #registry = new Registry();
  readonly #log: Logger;
  readonly #failing = new Gauge({
    name: 'x12_backup_failing',
    help: '1 when the last scheduled backup failed.',
    registers: [this.#registry],
  });
  readonly #lastSuccess = new Gauge({
    name: 'x12_backup_last_success_timestamp_seconds',
    help: 'Time of the last verified backup, in seconds since 1970.',
    registers: [this.#registry],
  });
  #running: Promise<void> = Promise.resolve();

  /**
   * @param folder where the backups are
   * @param create makes a backup, and deletes the oldest beyond those to keep
   */
  constructor(
    private readonly settings: Pick<Settings, 'backup' | 'metrics' | 'log'>,
    private readonly folder: string,
    private readonly create: (options: BackupOptions) => Promise<Backup>,
    private readonly clock: Clock,
  ) {
    const { host, workerPort } = settings.metrics;
    this.#server = new MetricsServer(new MetricsText(this.#registry), host, workerPort, 'WORKER_METRICS_');
    this.#log = pino(logOptions(settings.log, 'backup'));
  }

  /** @throws SettingsError without a schedule; StartError when the port of the metrics is in use */
  async start(): Promise<void> {
    const { schedule } = this.settings.backup;
    if (schedule === null) throw new SettingsError('BACKUP_SCHEDULE is missing: give five fields as of cron, in UTC');
    const last = (await backupsIn(this.folder)).at(-1);
    if (last !== undefined) this.#lastSuccess.set(timeOf(last).getTime() / 1000);
    await this.#server.onApplicationBootstrap();
    this.#running = this.#run(schedule).catch(() => undefined);
  }

  /** Resolves when a backup that is being made has ended. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
    this.#server.onApplicationShutdown();
  }

  /** Runs until it is stopped, which rejects. */
  async #run(schedule: string): Promise<never> {
    for (;;) {
      const next = nextTime(schedule, this.clock.now());
      this.#log.info({ next }, 'the next backup is due');
      await this.#until(next);
      await this.#makeOne();
    }
  }

  async #until(time: Date): Promise<void> {
    for (;;) {
      const ms = time.getTime() - this.clock.now().getTime();
      if (ms <= 0) return;
      await sleep(Math.min(ms, LONGEST_WAIT_MS), undefined, { signal: this.#stopping.signal });
    }
  }

  async #makeOne(): Promise<void> {
    try {
      const { keep } = this.settings.backup;
      const { name, manifest } = await this.create({ keep, verify: true });
      const { objects, bytes, missing } = manifest;
      this.#lastSuccess.set(timeOf(name).getTime() / 1000);
      this.#failing.set(missing > 0 ? 1 : 0);
      this.#log[missing > 0 ? 'error' : 'info']({ name, objects, bytes, missing }, 'a backup was made and verified');
    } catch (error) {
      this.#failing.set(1);
      this.#log.error({ err: error }, 'a backup failed');
    }
  }
}
