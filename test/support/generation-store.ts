import { createHash, randomUUID } from 'node:crypto';
import { copyFile, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FfmpegVideos, MagicFileTypes, SharpPictures } from '#adapters/images';
import {
  PostgresBatches,
  PostgresBatchViews,
  PostgresCreditLedger,
  PostgresFileRecords,
  PostgresGenerations,
  PostgresGenerationViews,
  PostgresPersonas,
  PostgresPersonaSlots,
  PostgresStyleViews,
  PostgresSubmissions,
  PostgresUnitOfWork,
} from '#adapters/postgres';
import { Outbox, QUEUES, type Queues } from '#adapters/queue';
import { ModelCatalog, type Model } from '#catalogue';
import { monthOf } from '#credits';
import { Batches } from '#batch';
import { Files, StoredUrls } from '#files';
import {
  GenerationRuns,
  Generations,
  InputFiles,
  OutputFiles,
  RemoteRuns,
  RunWatches,
  Styles,
  SubmissionCanceling,
  SubmissionChecks,
  DownloadLimiter,
  downloadLimits,
  type AcceptedCall,
  type GenerateCall,
  type GenerationProvider,
  type GenerationStore,
  type GenerationView,
  type RemoteProvider,
  type SubmissionReport,
  type SubmissionStore,
} from '#generation';
import type { Actor, Plans } from '#identity';
import { NO_CUSTOM_DATA, type BatchJobs, type Clock, type Jobs, type JobRun, type UnitOfWork } from '#kernel';
import { Sources, type SourceFailure, type TemporaryFolders } from '#sources';
import { aModel, aTrainer, aVideoModel, modelInputs } from '#testing/catalogue';
import { InMemoryObjectStorage } from '#testing/files';
import { anActor } from '#testing/identity';
import { ManualClock, RecordedJobs } from '#testing/kernel';
import { aPng, InMemoryPictures, InMemoryVideos } from '#testing/sources';
import { Deliveries } from '#webhooks';
import * as wiring from '#wiring';
import { createDatabase, newFile, newWorkspace, type TestDatabase } from './database.ts';
import { fileStoreOn } from './file-store.ts';
import { Product } from './product.ts';
import { publisherOf } from './publisher.ts';

const none = { addBulk: async () => [] };
const NO_QUEUES = Object.fromEntries(QUEUES.map((name) => [name, none])) as unknown as Queues;
const fail = (error: unknown): never => {
  throw error;
};

export const MONTHLY_CREDITS = 1_000_000;
const PLANS: Plans = { free: { id: 'free', monthlyCredits: MONTHLY_CREDITS, teams: false } };
const COUNT = { type: 'integer', description: 'Outputs', minimum: 1, maximum: 500_000, default: 1 } as const;
const EVERY_INPUT = { references: 'optional', maxReferences: 3, mask: 'optional', control: 'optional' } as const;
const MODELS = [
  aModel({ parameters: { count: COUNT } }),
  aVideoModel(),
  aModel({ id: 'test-collage', inputs: modelInputs(EVERY_INPUT) }),
  aTrainer(),
  aModel({ id: 'test-styled', family: 'test', inputs: modelInputs({ styleWeights: 'optional' }) }),
];

/** A call of the model that makes pictures, without inputs. */
export function aCall(overrides: Partial<GenerateCall> = {}): GenerateCall {
  return {
    presetId: null,
    variables: null,
    model: 'test-image',
    personaId: null,
    styleTransfer: null,
    styleId: null,
    image: null,
    extraImages: [],
    maskImage: null,
    controlImage: null,
    parent: null,
    webhook: null,
    ...NO_CUSTOM_DATA,
    prompt: null,
    fields: {},
    dryRun: false,
    ...overrides,
  };
}

/** Parts of the programs of a stage. */
interface Parts {
  readonly store: GenerationStore;
  readonly submissions: SubmissionStore;
  readonly unitOfWork: UnitOfWork;
  readonly jobs: Jobs & BatchJobs;
  readonly outputs: OutputFiles;
}

/** The use cases of one program. */
export interface StageProgram {
  readonly generations: Generations;
  readonly runs: GenerationRuns;
  readonly checks: SubmissionChecks;
  readonly canceling: SubmissionCanceling;
  readonly styles: Styles;
  readonly batches: Batches;
}

export interface GenerationStageOptions {
  readonly poolSize?: number;
  readonly clock?: Clock;
  /** Default: two models of a local provider. */
  readonly models?: readonly Model[];
  readonly remotes?: readonly RemoteProvider[];
  /** True if providers can call the service. */
  readonly isPublic?: boolean;
  /** True if styles get a preview. */
  readonly hasPreviews?: boolean;
  /** Default: the free plan. */
  readonly plans?: Plans;
  /** True if jobs are stored, for no queue. They are recorded only by default. */
  readonly storesJobs?: boolean;
}

/**
 * The use cases of generations on a database of their own. The provider, the pictures that it reads and the object
 * storage are doubles. `enter` starts each test in a new workspace.
 */
export class GenerationStage {
  readonly unitOfWork: PostgresUnitOfWork;
  readonly store: PostgresGenerations;
  readonly views: PostgresGenerationViews;
  readonly slots: PostgresPersonaSlots;
  readonly ledger: PostgresCreditLedger;
  readonly urls: StoredUrls;
  readonly recorded = new RecordedJobs();
  readonly generations: Generations;
  readonly files: Files;
  readonly storage: InMemoryObjectStorage;
  readonly styles: Styles;
  readonly batches: Batches;
  readonly batchStore: PostgresBatches;
  readonly batchViews: PostgresBatchViews;
  readonly styleViews: PostgresStyleViews;
  readonly deliveries: Deliveries;
  /** Publishes the events that were recorded. */
  readonly publish: () => Promise<void>;
  readonly outputs: OutputFiles;
  readonly submissions: PostgresSubmissions;
  readonly jobs: Jobs & BatchJobs;
  readonly downloads = new DownloadLimiter(downloadLimits(4));
  /** Reports of submissions. */
  readonly reports: SubmissionReport[] = [];
  /** Another program on the same database, with other parts. */
  readonly program: (parts?: Partial<Parts>, remotes?: readonly RemoteProvider[], checkMs?: number) => StageProgram;

  actor!: Actor;
  personaId!: number;
  readonly #offered: readonly Model[];
  /** Models of the provider. */
  models!: readonly Model[];
  /** Work of the provider; one picture by default. */
  work!: GenerationProvider['run'];
  /** Failures of opening a URL. */
  readonly broken = new Map<string, SourceFailure>();
  /** The URLs that were opened. */
  opened: string[] = [];

  static async open(options: GenerationStageOptions = {}): Promise<GenerationStage> {
    const folder = await mkdtemp(join(tmpdir(), 'generations-'));
    await writeFile(join(folder, 'made.png'), aPng({ width: 8, height: 6 }));
    const database = await createDatabase({ poolSize: options.poolSize ?? 10 });
    return new GenerationStage(database, folder, options);
  }

  private constructor(
    readonly db: TestDatabase,
    readonly folder: string,
    {
      clock = new ManualClock(),
      models = MODELS,
      plans = PLANS,
      remotes: all = [],
      isPublic = false,
      hasPreviews = false,
      storesJobs = false,
    }: GenerationStageOptions,
  ) {
    const { database } = db;
    this.unitOfWork = new PostgresUnitOfWork(database);
    this.storage = new InMemoryObjectStorage(clock);
    this.jobs = storesJobs ? new Outbox(database, this.unitOfWork, NO_QUEUES, clock, fail) : this.recorded;
    this.#offered = models;
    this.models = models;
    const offered = () => this.models;
    const provider: GenerationProvider = {
      id: 'test',
      get models() {
        return offered();
      },
      run: (task, watch) => this.work(task, watch),
    };
    const catalog = new ModelCatalog(models, ({ id }) => this.models.some((model) => model.id === id));
    const folders = {
      use: <T>(work: (folder: string) => Promise<T>) => work(folder),
      head: (file: string) => readFile(file),
      save: (bytes: AsyncIterable<Uint8Array>, file: string) => writeFile(file, bytes),
      size: async (file: string) => (await stat(file)).size,
      sha256: async (file: string) =>
        createHash('sha256')
          .update(await readFile(file))
          .digest('hex'),
    };
    const fresh = () => {
      const product = new Product(db, { clock, storage: this.storage });
      const { models: configured, ...settings } = product.get(wiring.settings);
      return product
        .with(wiring.settings, { ...settings, models: { ...configured, stylePreviews: hasPreviews } })
        .with(wiring.unitOfWork, this.unitOfWork)
        .with(wiring.jobs, this.jobs)
        .with(wiring.models, catalog)
        .with(wiring.plans, plans)
        .with(wiring.mayCallUrl, (url: string) => !url.includes('//private.'))
        .with(wiring.temporaryFolders, folders as Partial<TemporaryFolders>)
        .with(wiring.maxBytes, 1_000_000)
        .with(SharpPictures, new InMemoryPictures())
        .with(FfmpegVideos, new InMemoryVideos())
        .with(MagicFileTypes, {
          detect: async (bytes) => (bytes.toString('latin1', 1, 4) === 'PNG' ? 'image/png' : null),
        })
        .with(Sources, {
          openPicture: ({ url }) => this.#open(url),
          readMask: () => Promise.resolve({ isEmpty: false }),
        });
    };
    const product = fresh();
    this.store = product.get(PostgresGenerations);
    this.views = product.get(PostgresGenerationViews);
    this.slots = product.get(PostgresPersonaSlots);
    this.ledger = product.get(PostgresCreditLedger);
    this.submissions = product.get(PostgresSubmissions);
    this.batchStore = product.get(PostgresBatches);
    this.batchViews = product.get(PostgresBatchViews);
    this.styleViews = product.get(PostgresStyleViews);
    this.urls = product.get(StoredUrls);
    this.files = product.get(Files);
    this.deliveries = product.get(Deliveries);
    const publisher = publisherOf(product);
    this.publish = () => publisher.run();
    this.outputs = product.get(OutputFiles);
    const shared = {
      ...{ clock, folders, models: catalog, providers: [provider], newKey: randomUUID },
      personas: product.get(PostgresPersonas),
      downloads: this.downloads,
      webhooks: {
        isPublic,
        urlFor: (id: string, key: string) => (isPublic ? `https://we.test/${id}?key=${key}` : null),
      },
      report: (report: SubmissionReport) => void this.reports.push(report),
    };
    const uptime = () => (clock instanceof ManualClock ? clock.uptime() : performance.now() / 1000);
    this.program = (parts = {}, remotes = all, checkMs = 500) => {
      const { store, submissions, unitOfWork, jobs, outputs } = { ...this, ...parts };
      const product = fresh()
        .with(PostgresGenerations, store)
        .with(PostgresSubmissions, submissions)
        .with(wiring.unitOfWork, unitOfWork)
        .with(wiring.jobs, jobs);
      const to = { ...shared, store, submissions, unitOfWork, jobs, outputs, inputs: product.get(InputFiles) };
      const vendors = new Map(remotes.map((remote) => [remote.id, remote]));
      const generations = product.get(Generations);
      const watches = new RunWatches(store, checkMs);
      const remoteRuns = new RemoteRuns({ ...to, remotes: vendors, watches });
      return {
        generations,
        runs: new GenerationRuns({ ...to, generations, watches, remoteRuns }),
        checks: new SubmissionChecks({ ...to, remotes: vendors, uptime }),
        canceling: new SubmissionCanceling({ ...to, remotes: vendors }),
        batches: product.get(Batches),
        styles: product.get(Styles),
      };
    };
    const { batches, generations, styles } = this.program();
    this.batches = batches;
    this.generations = generations;
    this.styles = styles;
  }

  get aPicture() {
    const file = join(this.folder, 'made.png');
    return { file, contentType: 'image/png', width: 8, height: 6, duration: null };
  }

  /** Starts anew in a workspace with a persona whose slots are empty. */
  async enter(): Promise<void> {
    const { workspaceId, userId } = await this.newWorkspace();
    this.actor = anActor({ userId, workspaceId, role: 'owner' });
    this.personaId = await this.newPersona(workspaceId, userId);
    this.models = this.#offered;
    this.reports.length = 0;
    this.work = async () => [this.aPicture];
    this.broken.clear();
    this.opened = [];
    this.recorded.announced.length = 0;
  }

  /** The workspace, and the persona in it, that the tests are in. */
  get place(): Pick<GenerationStage, 'actor' | 'personaId'> {
    return { actor: this.actor, personaId: this.personaId };
  }

  /** Goes back to a workspace. */
  goTo({ actor, personaId }: GenerationStage['place']): void {
    Object.assign(this, { actor, personaId });
  }

  newWorkspace() {
    return newWorkspace(this.db.database);
  }

  newPersona(workspaceId = this.actor.workspaceId, userId = this.actor.userId): Promise<number> {
    return fileStoreOn(this.db.database).newPersona({ workspaceId, userId });
  }

  async deletePersona(personaId = this.personaId): Promise<void> {
    await fileStoreOn(this.db.database).deletePersona(personaId);
  }

  /** A file of the workspace that the tests are in. */
  async newFile(contentType = 'image/png') {
    const { workspaceId } = this.actor;
    const { id, key } = await newFile(this.db.database, workspaceId, this.personaId, contentType);
    return { fileId: id, key, url: this.urls.plainUrlOf(key) };
  }

  /** Puts a picture into a slot: a file of the workspace, or a URL that is not fetched yet. */
  async fill(slot: number, picture: { fileId: number; url: string } | { url: string }, personaId = this.personaId) {
    const fileId = 'fileId' in picture ? picture.fileId : null;
    await this.db.database.kysely
      .insertInto('trainings')
      .values({
        workspace_id: this.actor.workspaceId,
        persona_id: personaId,
        slot,
        source_url: picture.url,
        picture_version: 1,
        file_id: fileId,
        state: fileId === null ? 'created' : 'processed',
        created_at: new Date(),
      })
      .execute();
  }

  request(overrides: Partial<GenerateCall> = {}): Promise<AcceptedCall> {
    return this.generations.request(this.actor, aCall({ personaId: this.personaId, ...overrides }));
  }

  /** The id of an accepted generation. */
  async accepted(overrides: Partial<GenerateCall> = {}): Promise<number> {
    return (await this.request(overrides)).id!;
  }

  run(id: number, job: Partial<JobRun> = {}, checkIntervalMs?: number): Promise<void> {
    const { workspaceId } = this.actor;
    const { signal } = new AbortController();
    const { runs } = this.program({}, undefined, checkIntervalMs);
    return runs.run({ generationId: id }, { attempt: 1, workspaceId, signal, ...job });
  }

  view(id: number): Promise<GenerationView> {
    return this.views.get(this.actor.workspaceId, id);
  }

  /** Credits used this month. */
  async used(now = new ManualClock().now()): Promise<number> {
    const month = monthOf(now);
    return (await this.ledger.balance(this.actor.workspaceId, month, MONTHLY_CREDITS)).used;
  }

  /** The output files of the workspace, each after its thumbnails, those that are no thumbnails, and those of succeeded generations. */
  async outputFiles(): Promise<{ readonly all: number[]; readonly pictures: number[]; readonly kept: number[] }> {
    const rows = await this.db.database.kysely
      .selectFrom('files')
      .leftJoin('generation_outputs as o', 'o.file_id', 'id')
      .leftJoin('generation_outputs as t', 't.file_id', 'files.picture_id')
      .select(['id', 'o.file_id as output', 'picture_id as picture', 't.file_id as thumbnail'])
      .where('workspace_id', '=', this.actor.workspaceId)
      .where('origin', '=', 'output')
      .orderBy('id')
      .execute();
    const kept = rows.filter(({ output, thumbnail }) => output !== null || thumbnail !== null);
    const pictures = rows.filter(({ picture }) => picture === null);
    const idsOf = (files: typeof rows) => files.map(({ id }) => id);
    return { all: idsOf(rows), pictures: idsOf(pictures), kept: idsOf(kept) };
  }

  /** How many files the persona shows. */
  async shownFiles(): Promise<number> {
    const records = new PostgresFileRecords(this.db.database);
    const { workspaceId } = this.actor;
    return (await records.list(workspaceId, this.personaId, { limit: 50, after: null }, new Date()))!.items.length;
  }

  /** The files whose deletion was scheduled. */
  get deletable(): number[] {
    return this.recorded.announced.flatMap((job) => (job.name === 'files.reclaim' ? [...job.payload.fileIds] : []));
  }

  async close(): Promise<void> {
    await this.db.drop();
    await rm(this.folder, { recursive: true });
  }

  async #open(url: string) {
    this.opened.push(url);
    const failure = this.broken.get(url);
    if (failure) throw failure;
    const file = join(this.folder, `${this.opened.length}`);
    await copyFile(this.aPicture.file, file);
    return { ...this.aPicture, file };
  }
}
