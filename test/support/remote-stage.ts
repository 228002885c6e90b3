import { stat, writeFile } from 'node:fs/promises';
import { afterFailure } from '#adapters/queue';
import type { Model, ModelKind } from '#catalogue';
import type {
  OutputFiles,
  CheckedOutput,
  Found,
  GenerateCall,
  RemoteProvider,
  RemoteTask,
  SubmitOptions,
  SubmittedTask,
  SubmitResult,
  Submission,
  VendorHandle,
  VendorOutput,
  VendorState,
} from '#generation';
import { JobPostponed, type JobName } from '#kernel';
import { aModel } from '#testing/catalogue';
import { ManualClock } from '#testing/kernel';
import { aPng } from '#testing/sources';
import { GenerationStage, type StageProgram } from './generation-store.ts';

/** How long a worker must be gone until its jobs are given to others. */
const STALLED_SECONDS = 15;

/** A model of the scripted vendor, whose calls have ten minutes. */
export const REMOTE_MODEL = aModel({
  id: 'remote',
  provider: 'vendor',
  target: 'vendor/model',
  parameters: { seed: { type: 'integer' } },
  cost: { credits: 7, parameter: null, per: 'output' },
});

/** A job that the scripted vendor has started. */
interface Started {
  readonly key: string;
  readonly task: RemoteTask;
  isCanceled: boolean;
}

/** A vendor in memory: it starts all that it gets, and has it ready at once, unless a test changes it. */
export class ScriptedVendor implements RemoteProvider {
  readonly id = 'vendor';
  hasWebhooks = false;
  readonly keepsOutputsSeconds = 3_600;
  posts = 0;
  started: Started[] = [];
  asked: string[] = [];
  options: SubmitOptions[] = [];
  /** Effect of a POST after it has arrived; it may throw. */
  onSubmit!: (
    task: RemoteTask,
    start: () => SubmitResult,
    options: SubmitOptions,
  ) => Promise<SubmitResult> | SubmitResult;
  onFind!: (task: SubmittedTask, since: Date) => Promise<Found> | Found;
  onCheck!: (handle: VendorHandle, signal: AbortSignal) => Promise<VendorState> | VendorState;
  onCancel!: (handle: VendorHandle) => 'canceled' | 'too_late' | 'unsupported';
  onFetch!: (output: VendorOutput, signal: AbortSignal) => Promise<void> | void;

  constructor() {
    this.reset();
  }

  reset(): void {
    Object.assign(this, { posts: 0, started: [], asked: [], options: [], hasWebhooks: false });
    this.onSubmit = (_, start) => start();
    this.onFind = ({ requestKey }) => {
      const known = this.started.find(({ key }) => key === requestKey);
      return known ? { handle: { id: known.key } } : 'absent';
    };
    this.onCheck = () => ({ state: 'ended', outputs: [anOutput()], cost: 0.25 });
    this.onCancel = () => 'canceled';
    this.onFetch = () => undefined;
  }

  async submit(task: RemoteTask, options: SubmitOptions): Promise<SubmitResult> {
    this.posts++;
    this.options.push(options);
    const start = () => {
      this.started.push({ key: task.requestKey, task, isCanceled: false });
      return { handle: { id: task.requestKey } };
    };
    return this.onSubmit(task, start, options);
  }

  async find(task: SubmittedTask, since: Date): Promise<Found> {
    this.asked.push('find');
    return this.onFind(task, since);
  }

  async check(handle: VendorHandle, signal: AbortSignal): Promise<VendorState> {
    this.asked.push('check');
    return this.onCheck(handle, signal);
  }

  async cancel(handle: VendorHandle) {
    const outcome = this.onCancel(handle);
    const job = this.started.find(({ key }) => key === handle['id']);
    if (job && outcome === 'canceled') job.isCanceled = true;
    return outcome;
  }

  async fetchOutput(output: VendorOutput, target: string, _kind: ModelKind, signal: AbortSignal): Promise<void> {
    await this.onFetch(output, signal);
    await writeFile(target, aPng({ width: 8, height: 6 }));
  }

  async isAuthentic(): Promise<boolean> {
    return true;
  }

  async health() {
    return { isReachable: true, isKeyAccepted: true, hasTarget: true, remedy: null };
  }
}

export function anOutput(url = 'https://vendor.test/1.png'): VendorOutput {
  return { url, label: null, score: null };
}

export class Died extends Error {
  override readonly name = 'Died';
}

/** The life of a program, counted in calls to what is outside of it: it may be killed before or after each. */
export class Life {
  #calls = 0;
  /** Where it ended; `null` while it lives. */
  end: string | null = null;

  /** @param calls how many are left */
  constructor(private readonly calls = Infinity) {}

  step(at: string): void {
    if (this.end === null && this.#calls++ >= this.calls) this.end = at;
    if (this.end !== null) throw new Died(this.end);
  }

  /** `part` for a program with this life. */
  of<T extends object>(name: string, part: T): T {
    const call = (method: PropertyKey, run: (...args: unknown[]) => unknown, args: unknown[]) => {
      const at = `${name}.${String(method)}`;
      if (method === 'run') args = [this.#before(`the commit of ${name}`, args[0] as () => Promise<unknown>)];
      return this.#around(at, () => run.apply(part, args));
    };
    return new Proxy(part, {
      get: (_, method) => {
        const value: unknown = Reflect.get(part, method, part);
        if (typeof value !== 'function') return value;
        return (...args: unknown[]) => call(method, value as (...args: unknown[]) => unknown, args);
      },
    });
  }

  #before(at: string, work: () => Promise<unknown>) {
    return async () => {
      const result = await work();
      this.step(`before ${at}`);
      return result;
    };
  }

  async #around(at: string, run: () => unknown): Promise<unknown> {
    this.step(`before ${at}`);
    const result = await run();
    this.step(`after ${at}`);
    return result;
  }
}

interface Event {
  readonly at: Date;
  readonly job: { readonly id: number; readonly name: JobName; readonly payload: unknown } | null;
}

/**
 * Generations on remote providers, with their jobs and checks in the order of their times, on a clock that is moved to
 * each of them.
 */
export class RemoteStage {
  private constructor(
    readonly generations: GenerationStage,
    readonly clock: ManualClock,
    readonly remote: RemoteProvider,
    private readonly model: Model,
  ) {}

  static async open(remote: RemoteProvider, model: Model = REMOTE_MODEL, isPublic = false): Promise<RemoteStage> {
    const clock = new ManualClock();
    const stage = await GenerationStage.open({
      poolSize: 10,
      clock,
      models: [{ ...model, provider: remote.id }],
      remotes: [remote],
      isPublic,
      storesJobs: true,
    });
    return new RemoteStage(stage, clock, remote, model);
  }

  async accepted(overrides: Partial<GenerateCall> = {}): Promise<number> {
    return this.generations.accepted({ model: this.model.id, ...overrides });
  }

  /** A program with a life; that of the caller has no end. */
  program(life = new Life(), checkMs?: number): StageProgram {
    const { store, submissions, unitOfWork, outputs, jobs } = this.generations;
    const parts = {
      store: life.of('generations', store),
      submissions: life.of('submissions', submissions),
      unitOfWork: life.of('transaction', unitOfWork),
      jobs: life.of('jobs', jobs),
      outputs: life.of('outputs', checkedByName(outputs)),
    };
    return this.generations.program(parts, [life.of('provider', this.remote)], checkMs);
  }

  /** Does what is next for a generation, at its time; false when nothing is. */
  async step(id: number, life = new Life()): Promise<boolean> {
    const event = await this.#next(id);
    if (!event) return false;
    const wait = event.at.getTime() - this.clock.now().getTime();
    if (wait > 0) this.clock.advance(wait / 1000);
    const program = this.program(life);
    if (event.job) await this.#runJob(program, event.job, life);
    else await program.checks.check(this.remote.id, new AbortController().signal).catch(isDeath);
    return true;
  }

  /** Does all that there is to do for a generation. */
  async runToEnd(id: number, life = new Life()): Promise<void> {
    for (let steps = 0; await this.step(id, life); steps++) {
      if (life.end !== null) return;
      if (steps > 300) throw new Error(`generation ${id} does not end`);
    }
  }

  async submissionOf(id: number): Promise<Submission | null> {
    return this.generations.submissions.get(id);
  }

  /** Credits used this month. */
  used(): Promise<number> {
    return this.generations.used(this.clock.now());
  }

  /** The kinds of the generation's entries in the ledger. */
  async ledgerOf(id: number): Promise<string[]> {
    const { kysely } = this.generations.db.database;
    const entries = kysely.selectFrom('credit_entries').select('kind').orderBy('id');
    return (await entries.where('generation_id', '=', id).execute()).map(({ kind }) => kind);
  }

  async jobsOf(id: number) {
    return this.generations.db.query<{ id: number; name: JobName; payload: unknown; due_at: Date; failures: number }>(
      `select id, name, payload, due_at, failures from jobs
       where (payload ->> 'generationId')::bigint = $1 order by due_at, id`,
      [id],
    );
  }

  async #next(id: number): Promise<Event | null> {
    const [job] = await this.jobsOf(id);
    const check = await this.generations.db.one<{ at: Date }>(
      `select next_check_at as at from submissions where generation_id = $1 and state = 'submitted'`,
      [id],
    );
    if (job && (!check || job.due_at <= check.at)) return { at: job.due_at, job };
    return check && { at: check.at, job: null };
  }

  async #runJob(program: StageProgram, { id, name, payload }: NonNullable<Event['job']>, life: Life): Promise<void> {
    const { db, actor } = this.generations;
    const started = await db.one<{ attempts: number; failures: number }>(
      'update jobs set attempts = attempts + 1 where id = $1 returning attempts, failures',
      [id],
    );
    const { attempts: attempt, failures } = started!;
    const run = { attempt, workspaceId: actor.workspaceId, signal: new AbortController().signal };
    const about = payload as { generationId: number };
    const work =
      name !== 'submission.cancel' ? program.runs.run(about, run) : program.canceling.run(about.generationId, run);
    const error = await work.then(
      () => null,
      (thrown: unknown) => thrown ?? new Error('nothing'),
    );
    const again = async (seconds: number, failed: number) => {
      const due = new Date(this.clock.now().getTime() + seconds * 1000);
      await db.query('update jobs set due_at = $2, failures = $3 where id = $1', [id, due, failed]);
    };
    if (life.end !== null) return again(STALLED_SECONDS, failures);
    if (error instanceof JobPostponed) return again(error.seconds, 0);
    if (error !== null) {
      const next = afterFailure(error, failures + 1);
      if (next !== 'failed') return again(next.retryAfterSeconds, failures + 1);
      if (name === 'submission.cancel') throw new Error('a job of cancelation failed', { cause: error });
      await program.generations.fail(about.generationId, error).catch(isDeath);
      if (life.end !== null) return again(STALLED_SECONDS, failures);
    }
    await db.query('delete from jobs where id = $1', [id]);
  }

  close(): Promise<void> {
    return this.generations.close();
  }
}

function isDeath(error: unknown): void {
  if (!(error instanceof Died)) throw error;
}

/** Believes that each file is a small picture, unless it is a style. */
function checkedByName(outputs: OutputFiles): OutputFiles {
  const check: OutputFiles['check'] = async (file, model, labels, from, signal): Promise<CheckedOutput> => {
    if (model.kind === 'style') return outputs.check(file, model, labels, from, signal);
    await stat(file);
    return { file, contentType: 'image/png', preview: null, marking: null, ...labels };
  };
  return {
    check,
    store: (...args: Parameters<OutputFiles['store']>) => outputs.store(...args),
    discard: (...args: Parameters<OutputFiles['discard']>) => outputs.discard(...args),
  } as unknown as OutputFiles;
}
