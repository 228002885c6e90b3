import type { AuditLog } from '#audit-log';
import { labelOf } from '#files';
import type { Actor, Gate, TokenSecret, TokenSecrets } from '#identity';
import { DomainError, notFound, type Clock, type UnitOfWork } from '#kernel';
import {
  assertCount,
  assertReady,
  expiryOf,
  MAX_FILES,
  takesLabel,
  type Download,
  type Selection,
} from './domain/download.ts';
import { factsIndex } from './facts-index.ts';
import type { DownloadedFile, DownloadedFiles, DownloadStore } from './ports.ts';
import type { Zips } from './zips.ts';

/** How long a stream counts as running after its last sign of life, should its process end. */
const RUNS_SECONDS = 60;

export interface CreatedDownload {
  readonly secret: TokenSecret;
  readonly expiresAt: Date;
  readonly files: number;
  readonly bytes: number;
}

/** Links to zips of files. */
export class Downloads {
  constructor(
    private readonly deps: {
      readonly downloads: DownloadStore;
      readonly files: DownloadedFiles;
      readonly zips: Pick<Zips, 'stream'>;
      readonly secrets: TokenSecrets;
      readonly gate: Pick<Gate, 'stillActing'>;
      readonly auditLog: Pick<AuditLog, 'record'>;
      readonly unitOfWork: UnitOfWork;
      /** The operator's text of labels. */
      readonly label: string;
      readonly clock: Clock;
    },
  ) {}

  /**
   * Makes a link that is good for ten minutes, to a zip of the files as they are when it is opened.
   *
   * @param asked the visible label on pictures that AI made: true for the operator's text
   * @throws DomainError `not_found`, `conflict` for items that are not ready; `validation_failed` for no files, and too many
   */
  async create(actor: Actor, selection: Selection, asked: boolean | string | null = null): Promise<CreatedDownload> {
    const { downloads, secrets, auditLog, unitOfWork, clock } = this.deps;
    const { workspaceId, userId, tokenId } = actor;
    const label = labelOf(asked, this.deps.label);
    if ('ids' in selection) assertReady(selection, await this.deps.files.readiness(workspaceId, selection));
    const files = await this.#list(workspaceId, selection);
    if (!files) throw notFound(selection.of);
    assertCount(files.length);
    const bytes = files.reduce((sum, { size }) => sum + size, 0);
    const now = clock.now();
    const expiresAt = expiryOf(now);
    const secret = secrets.create();
    const link = { workspaceId, userId, tokenId, selection, label, expiresAt, hash: secrets.hash(secret) };
    await unitOfWork.run(async () => {
      const target = await downloads.add(link, now);
      const details = { of: selection.of, files: files.length, bytes };
      await auditLog.record({ action: 'download.create', target, details });
    });
    return { secret, expiresAt, files: files.length, bytes };
  }

  /**
   * Opens the zip of a link. It counts as running until the chunks end or are left.
   *
   * @throws DomainError `not_found` for an unknown or expired link, when the caller who made it may no longer act in the
   * workspace, and when nothing is left; `download_running` while another download of that user runs
   */
  async open(secret: TokenSecret): Promise<AsyncGenerator<Uint8Array>> {
    const { downloads, unitOfWork, clock } = this.deps;
    const { download, files } = await this.#find(secret);
    if (!(await unitOfWork.run(() => downloads.start(download, clock.now(), this.#until())))) {
      throw new DomainError('download_running', 'another download of yours is running: wait for its end');
    }
    return this.#stream(download, files);
  }

  /** @throws DomainError `not_found`, as `open` */
  async check(secret: TokenSecret): Promise<void> {
    await this.#find(secret);
  }

  async #find(secret: TokenSecret): Promise<{ download: Download; files: readonly DownloadedFile[] }> {
    const { downloads, gate, secrets, clock } = this.deps;
    const download = await downloads.find(secrets.hash(secret), clock.now());
    const mayAct = download && (await gate.stillActing([download])).has(download);
    const files = mayAct ? await this.#list(download.workspaceId, download.selection) : null;
    if (!download || !files || files.length === 0) throw notFound('download');
    assertCount(files.length);
    return { download, files };
  }

  #list(workspaceId: number, selection: Selection): Promise<readonly DownloadedFile[] | null> {
    return this.deps.files.list(workspaceId, selection, MAX_FILES + 1);
  }

  #until(): Date {
    return new Date(this.deps.clock.now().getTime() + RUNS_SECONDS * 1000);
  }

  async *#stream({ id, label }: Download, files: readonly DownloadedFile[]): AsyncGenerator<Uint8Array> {
    const keep = (until: Date | null) => this.deps.unitOfWork.run(() => this.deps.downloads.keep(id, until));
    // A sign of life that is lost is followed by another.
    const alive = setInterval(() => void keep(this.#until()).catch(() => undefined), (RUNS_SECONDS * 1000) / 3);
    try {
      const labelled = files.map((file) => (takesLabel(file) ? { ...file, label } : file));
      yield* this.deps.zips.stream(labelled, factsIndex(this.deps.files));
    } finally {
      clearInterval(alive);
      await keep(null);
    }
  }
}
