import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PostgresTrials } from '#adapters/postgres';
import { CatalogueChanges, GoneModels, LiveCatalogue } from '#catalogue';
import {
  TrialRuns,
  Trials,
  type CheckedOutput,
  type GenerationProvider,
  type Trial,
  type TrialCall,
} from '#generation';
import { JobPostponed } from '#kernel';
import type { SourceFailure } from '#sources';
import { aModel } from '#testing/catalogue';
import { InMemoryObjectStorage } from '#testing/files';
import { RecordedJobs } from '#testing/kernel';
import * as wiring from '#wiring';
import type { TestDatabase } from './database.ts';
import { aProviderChange, anEntry, CatalogueStage } from './live-catalogue.ts';
import { Product } from './product.ts';
import { ScriptedVendor } from './remote-stage.ts';

export const PAINTER = aModel({ id: 'local-image', target: 'local-image', provider: 'local' });
const MAX_STEPS = 200;

/** Trials of models on a database. The vendor, the pictures and the object storage are doubles. */
export class TrialStage {
  readonly vendor = new ScriptedVendor();
  readonly catalogue: CatalogueStage;
  readonly jobs = new RecordedJobs();
  readonly storage: InMemoryObjectStorage;
  readonly store: PostgresTrials;
  readonly trials: Trials;
  readonly runs: TrialRuns;
  /** Work of the local provider. */
  work: GenerationProvider['run'] = async () => [];
  /** Failures of opening a URL. */
  readonly broken = new Map<string, SourceFailure>();

  private constructor(
    readonly db: TestDatabase,
    readonly folder: string,
  ) {
    const catalogue = (this.catalogue = new CatalogueStage(db, { providers: [], models: [PAINTER] }));
    catalogue.vendors.set('vendor', this.vendor);
    const { clock, changes, live, remotes, auditLog } = catalogue;
    this.storage = new InMemoryObjectStorage(clock);
    const product = new Product(db, { auditLog, jobs: this.jobs, clock });
    this.store = product.get(PostgresTrials);
    this.trials = product.with(LiveCatalogue, live).with(CatalogueChanges, changes).get(Trials);
    const local = {
      id: 'local',
      models: [PAINTER],
      run: (...given: Parameters<GenerationProvider['run']>) => this.work(...given),
    };
    this.runs = new TrialRuns({
      goneModels: product.get(GoneModels),
      unitOfWork: product.get(wiring.unitOfWork),
      ...{ catalogue: live, changes, remotes, trials: this.store, newKey: randomUUID, clock },
      providers: [local],
      sources: { openForOperator: (url) => this.#open(url), readMask: () => Promise.resolve({ isEmpty: false }) },
      outputs: {
        check: async (file, _kind, labels): Promise<CheckedOutput> => ({ ...facts, ...labels, file, marking: null }),
      },
      folders: { use: (work) => work(folder), size: async (file) => (await stat(file)).size },
      storage: this.storage,
    });
  }

  /** Opens a stage with the model `fluw` of a remote provider. */
  static async open(db: TestDatabase): Promise<TrialStage> {
    const stage = new TrialStage(db, await mkdtemp(join(tmpdir(), 'trials-')));
    const { changes } = stage.catalogue;
    await changes.saveProvider('vendor', aProviderChange);
    await changes.saveModel('fluw', { entry: anEntry, isOffered: true, revision: null });
    return stage;
  }

  start(call: Partial<TrialCall> = {}, model = 'fluw'): Promise<Trial> {
    return this.trials.start(model, { entry: null, prompt: 'a fox', parameters: {}, inputs: {}, ...call });
  }

  /** Runs the job of a trial once. */
  async step(id: number, attempt = 1): Promise<void> {
    await this.runs.run(id, { attempt, workspaceId: null, signal: new AbortController().signal });
  }

  /** Runs the job until it is done or has failed for good. */
  async runToEnd(id: number): Promise<Trial> {
    for (let attempt = 1; attempt < MAX_STEPS; attempt++) {
      const error = await this.step(id, attempt).then(
        () => null,
        (thrown: unknown) => thrown,
      );
      if (error instanceof JobPostponed) {
        this.catalogue.clock.advance(error.seconds);
        continue;
      }
      if (isRetryable(error)) continue;
      if (error !== null) await this.runs.fail(id, error);
      return this.trials.find(id);
    }
    throw new Error(`trial ${id} does not end`);
  }

  /** A trial that has ended. */
  async tried(call: Partial<TrialCall> = {}, model = 'fluw'): Promise<Trial> {
    return this.runToEnd((await this.start(call, model)).id);
  }

  async close(): Promise<void> {
    await rm(this.folder, { recursive: true });
  }

  async #open(url: string) {
    const failure = this.broken.get(url);
    if (failure) throw failure;
    const file = join(this.folder, 'picture');
    await writeFile(file, url);
    return { file, contentType: 'image/png', width: 8, height: 6 };
  }
}

const look = { colors: [], shape: '' };
const preview = { width: 8, height: 6, placeholder: '', thumbnails: [], look };
const facts = { contentType: 'image/png', preview };

function isRetryable(error: unknown): boolean {
  return error instanceof Error && 'retryable' in error && error.retryable === true;
}
