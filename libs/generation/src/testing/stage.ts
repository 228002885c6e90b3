import { InMemoryCreditLedger } from '#testing/credits';
import { ManualClock, RecordedJobs, directUnitOfWork } from '#testing/kernel';
import { monthOf, type Balance } from '#credits';
import type { Actor, Plans } from '#identity';
import { notFound, type JobRun } from '#kernel';
import type { OpenedPicture, SourceFailure } from '#sources';
import type { FileToStore, StoredFile } from '#files';
import { CancelGeneration } from '../application/cancel-generation.ts';
import { EndGeneration } from '../application/end-generation.ts';
import { GiveUpGeneration } from '../application/give-up-generation.ts';
import { RequestGeneration, type GenerateCall } from '../application/request-generation.ts';
import { RunGeneration } from '../application/run-generation.ts';
import { WatchGeneration } from '../application/watch-generation.ts';
import { ModelCatalog } from '../domain/model-catalog.ts';
import type { GenerationProvider, GenerationTask, ProviderOutput } from '../ports/generation-provider.ts';
import { aModel, aVideoModel } from './builders.ts';
import { InMemoryGenerations } from './in-memory-generations.ts';
import { InMemoryPersonaSlots } from './in-memory-persona-slots.ts';

export const STORE = 'https://files.test/';
export const PERSONA = 5;

type Work = (
  task: GenerationTask,
  watch: Parameters<GenerationProvider['run']>[1],
) => Promise<readonly ProviderOutput[]>;

export const aPicture = {
  file: '/made/1.png',
  contentType: 'image/png',
  width: 8,
  height: 6,
  duration: null,
};

/** All use cases on adapters in memory: a workspace with an owner, a persona with filled slots, 100 credits a month. */
export class Stage {
  readonly memory = new InMemoryGenerations();
  readonly slots = new InMemoryPersonaSlots();
  readonly ledger = new InMemoryCreditLedger();
  readonly jobs = new RecordedJobs();
  readonly clock = new ManualClock();
  readonly plans: Plans = { free: { id: 'free', monthlyCredits: 100, teams: false } };
  readonly actor: Actor = {
    userId: 1,
    workspaceId: 1,
    role: 'owner',
    plan: 'free',
    isTeam: false,
    tokenId: 1,
  };

  /** Files of the workspace by the last part of their URL. */
  readonly files = new Map<string, { readonly id: number; readonly contentType: string }>();
  readonly stored: FileToStore[] = [];
  /** What opening a URL fails with. */
  readonly broken = new Map<string, SourceFailure>();
  readonly opened: string[] = [];
  /** What the provider does; a picture by default. */
  work: Work = async () => [aPicture];

  readonly request: RequestGeneration;
  readonly runGeneration: RunGeneration;
  readonly cancel: CancelGeneration;
  readonly giveUp: GiveUpGeneration;
  readonly watch: WatchGeneration;

  constructor() {
    const { memory, slots, ledger, jobs, clock } = this;
    this.slots.add(PERSONA, this.actor.workspaceId, this.actor.userId);
    this.slots.fill(PERSONA, {
      master: { url: `${STORE}1.png`, fileId: 11 },
      main: { url: `${STORE}7.png`, fileId: 17 },
    });
    const models = [
      aModel({
        parameters: {
          count: { type: 'integer', description: 'Outputs', minimum: 1, maximum: 50, default: 1 },
        },
      }),
      aVideoModel(),
    ];
    const provider: GenerationProvider = {
      id: 'test',
      models,
      run: (task, watch) => this.work(task, watch),
    };
    const end = new EndGeneration(memory, ledger, jobs);
    this.request = new RequestGeneration(
      new ModelCatalog(models),
      slots,
      { run: async ({ url }) => this.#adopt(url) },
      memory,
      ledger,
      this.plans,
      jobs,
      directUnitOfWork,
      clock,
    );
    this.runGeneration = new RunGeneration(
      memory,
      [provider],
      { run: async ({ url }) => this.#open(url) },
      { run: async (file) => this.#store(file) },
      { hold: async (workspaceId, personaId) => (await slots.of(workspaceId, personaId)) !== null },
      { use: (work) => work('/scratch') },
      end,
      jobs,
      directUnitOfWork,
      clock,
    );
    this.cancel = new CancelGeneration(memory, end, directUnitOfWork, clock);
    this.giveUp = new GiveUpGeneration(memory, end, directUnitOfWork, clock);
    this.watch = new WatchGeneration(memory, memory);
  }

  call(overrides: Partial<GenerateCall> = {}): Promise<{ readonly id: number | null }> {
    return this.request.run(this.actor, {
      model: 'test-image',
      personaId: PERSONA,
      styleTransfer: null,
      image: null,
      prompt: null,
      fields: {},
      dryRun: false,
      ...overrides,
    });
  }

  /** An accepted generation's id. */
  async accepted(overrides: Partial<GenerateCall> = {}): Promise<number> {
    return (await this.call(overrides)).id!;
  }

  run(id: number, run: Partial<JobRun> = {}): Promise<void> {
    return this.runGeneration.run(id, { attempt: 1, signal: new AbortController().signal, ...run });
  }

  view(id: number) {
    return this.memory.get(this.actor.workspaceId, id);
  }

  balance(): Promise<Balance> {
    return this.ledger.balance(1, monthOf(this.clock.now()), 100);
  }

  /** Ids of the files that were offered to be reclaimed. */
  get reclaimed(): number[] {
    return this.jobs.announced.flatMap((job) =>
      job.name === 'files.reclaim' ? [...job.payload.fileIds] : [],
    );
  }

  #adopt(url: string): StoredFile | null {
    if (!url.startsWith(STORE)) return null;
    const file = this.files.get(url.slice(STORE.length));
    if (!file) throw notFound('file');
    return this.#stored({ ...file, key: url.slice(STORE.length) });
  }

  #open(url: string): OpenedPicture {
    this.opened.push(url);
    const failure = this.broken.get(url);
    if (failure) throw failure;
    return { file: `/scratch/${this.opened.length}`, contentType: 'image/png', width: 8, height: 6 };
  }

  #store(file: FileToStore): StoredFile {
    this.stored.push(file);
    return this.#stored({ id: 100 + this.stored.length, contentType: file.contentType, key: file.filename });
  }

  #stored(file: Pick<StoredFile, 'id' | 'contentType' | 'key'>): StoredFile {
    return {
      ...file,
      workspaceId: 1,
      personaId: PERSONA,
      origin: 'output',
      filename: file.key,
      size: 1,
      createdAt: this.clock.now(),
      expiresAt: null,
    };
  }
}
