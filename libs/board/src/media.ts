import type { AuditLog } from '#audit-log';
import type { Actor } from '#identity';
import type { EventLog, NewEvent } from '#events';
import {
  announceDeletion,
  deletionBy,
  pictureNameOf,
  scheduleFileDeletion,
  type Files,
  type PictureNames,
  type StoredFile,
} from '#files';
import { DomainError, invalidField, notFound, type Clock, type JobRun, type Jobs, type UnitOfWork } from '#kernel';
import { extrasOf } from './domain/board.ts';
import { failed, firstState, processed, retried, type Media, type MediaSources } from './domain/media.ts';
import { assertReplaceable, type MediaPlace } from './domain/version.ts';
import type { MediaStore, MediaView } from './ports.ts';
import type { PrepareMedia } from './prepare-media.ts';

export interface MediaRequest extends MediaSources {
  readonly folderId: number | null;
  /** A media item of the board, of which this one is the next version. */
  readonly replaces?: number | null;
  readonly extras: string | null;
}

/** Maximum number of failed media items that one transaction retries. */
const RETRY_GROUP = 500;

interface Collaborators {
  readonly auditLog: Pick<AuditLog, 'record'>;
  readonly media: MediaStore;
  readonly files: Pick<Files, 'resolve'>;
  readonly names: PictureNames;
  readonly events: EventLog;
  readonly jobs: Jobs;
  readonly unitOfWork: UnitOfWork;
  readonly clock: Clock;
  /** Days that a deleted media item stays in the trash; 0 by default. */
  readonly graceDays?: number;
}

export class MediaItems {
  constructor(private readonly deps: Collaborators) {}

  /**
   * Adds a media item to a board, or a new version to a place; a job processes its sources, if that is needed.
   *
   * @throws DomainError `not_found` (board, folder or replaced item), `validation_failed`; `file_expired` for a stored URL;
   * `conflict` for a version that was replaced before, and for too many
   */
  add(actor: Actor, boardId: number, request: MediaRequest): Promise<MediaView> {
    const { workspaceId, userId: createdBy } = actor;
    const { folderId, replaces = null } = request;
    if (replaces !== null && folderId !== null)
      throw invalidField('folder_id', 'must not be given together with replaces');
    const extras = request.extras === null ? null : extrasOf(request.extras);
    return this.deps.unitOfWork.run(async () => {
      const replaced = replaces === null ? null : await this.#replaced(workspaceId, boardId, replaces);
      const file = await this.#resolved(workspaceId, request.url);
      const control = await this.#resolved(workspaceId, request.controlImage);
      const state = firstState(request, { file, control });
      const createdAt = this.deps.clock.now();
      const added = await this.deps.media.add({
        workspaceId,
        boardId,
        folderId: replaced ? replaced.folderId : folderId,
        replaces: replaced,
        createdBy,
        extras,
        url: file?.key ?? request.url,
        controlImage: control?.key ?? request.controlImage,
        state,
        createdAt,
        fileIds: [file, control].flatMap((each) => (each ? [each.id] : [])),
      });
      if ('missing' in added) throw notFound(added.missing);
      const { id } = added;
      if (state === 'created') await this.#announce({ id, revision: 1, workspaceId });
      else await this.deps.events.record(endOfMedia({ id, boardId, workspaceId, state }, createdAt));
      return added;
    });
  }

  /**
   * Renames the picture that a media item shows, wherever it is shown.
   *
   * @throws DomainError `not_found`, `validation_failed`, `conflict` while the item has no picture
   */
  async rename(actor: Actor, boardId: number, mediaId: number, newName: string): Promise<void> {
    const name = pictureNameOf(newName);
    await this.deps.unitOfWork.run(async () => {
      const media = await this.deps.media.find(actor.workspaceId, boardId, mediaId);
      if (!media) throw notFound('media');
      const key = media.state === 'processed' ? (media.fileKey ?? media.controlImageKey) : null;
      if (key === null || !(await this.deps.names.rename(actor.workspaceId, { key }, name))) {
        throw new DomainError('conflict', 'the media item has no picture that could have a name');
      }
    });
  }

  /**
   * Moves media items between the folders of their board.
   *
   * @param folderId `null` for the board's root
   * @returns the moved items: those ids that were on the board
   * @throws DomainError `not_found` (board or folder)
   */
  async move(
    actor: Actor,
    boardId: number,
    ids: readonly number[],
    folderId: number | null,
  ): Promise<ReadonlyMap<number, MediaView>> {
    const moved = await this.deps.unitOfWork.run(() => this.deps.media.move(actor.workspaceId, boardId, ids, folderId));
    if ('missing' in moved) throw notFound(moved.missing);
    return new Map(moved.map((each) => [each.id, each]));
  }

  /**
   * @returns the deleted ids: those that were on the board
   * @throws DomainError `not_found` (board)
   */
  delete(actor: Actor, boardId: number, ids: readonly number[]): Promise<ReadonlySet<number>> {
    return this.deps.unitOfWork.run(async () => {
      const deletion = deletionBy(actor.userId, this.deps.clock.now(), this.deps.graceDays ?? 0);
      const result = await this.deps.media.delete(actor.workspaceId, boardId, ids, deletion);
      if (!result) throw notFound('board');
      await announceDeletion(this.deps.jobs, actor.workspaceId, result.entryIds);
      if (result.ids.length > 0) {
        const details = { items: result.ids };
        await this.deps.auditLog.record({ action: 'media.delete', target: boardId, details });
      }
      return new Set(result.ids);
    });
  }

  /**
   * Processes a failed media item again.
   *
   * @throws DomainError `not_found`, `conflict` when the item has not failed
   */
  retry(actor: Actor, boardId: number, mediaId: number): Promise<MediaView> {
    return this.deps.unitOfWork.run(async () => {
      const media = await this.deps.media.find(actor.workspaceId, boardId, mediaId);
      if (!media) throw notFound('media');
      const restarted = media.state === 'failed' ? retried(media) : null;
      const view = restarted && (await this.deps.media.restart(restarted));
      if (!view) throw new DomainError('conflict', 'only a failed media item can be retried');
      await this.#announce(restarted!);
      return view;
    });
  }

  /**
   * Processes the failed media items of all boards again, such as after an outage of their sources.
   *
   * @param error only items that failed with this code; `null` for all
   * @returns the number of retried items
   */
  async retryFailed(error: string | null): Promise<number> {
    let count = 0;
    for (let after: number | null = 0; after !== null;) {
      const group = await this.#retryGroup(error, after);
      count += group.retried.length;
      after = group.next;
    }
    return count;
  }

  /** Marks a media item as failed once its job has failed for good. */
  async fail(mediaId: number, revision: number, error: unknown): Promise<void> {
    const media = await this.deps.media.waiting(mediaId, revision);
    if (!media) return;
    const ended = failed(media, error);
    await this.deps.unitOfWork.run(async () => {
      if (!(await this.deps.media.end(ended, []))) return;
      await this.deps.events.record(endOfMedia(ended, this.deps.clock.now()));
    });
  }

  #retryGroup(error: string | null, after: number): ReturnType<MediaStore['retryFailed']> {
    return this.deps.unitOfWork.run(async () => {
      const group = await this.deps.media.retryFailed({ error, after, limit: RETRY_GROUP });
      for (const media of group.retried) await this.#announce(media, { bulk: true });
      return group;
    });
  }

  #announce(media: Pick<Media, 'id' | 'revision' | 'workspaceId'>, options?: { bulk: true }) {
    const { id: mediaId, revision, workspaceId } = media;
    return this.deps.jobs.announce({ name: 'media.process', payload: { mediaId, revision }, workspaceId }, options);
  }

  async #replaced(workspaceId: number, boardId: number, id: number): Promise<MediaPlace> {
    const found = await this.deps.media.lockPlace(workspaceId, boardId, id);
    if (!found) throw notFound('media');
    assertReplaceable(found);
    return found;
  }

  /** Adds a reference to a stored file of the workspace; a temporary file is copied to a permanent one first. */
  async #resolved(workspaceId: number, url: string | null): Promise<StoredFile | null> {
    return url === null ? null : this.deps.files.resolve({ workspaceId, url });
  }
}

type EndedMedia = Pick<Media, 'id' | 'boardId' | 'workspaceId'> & { readonly state: 'processed' | 'failed' };

function endOfMedia({ id, boardId, workspaceId, state }: EndedMedia, createdAt: Date): NewEvent {
  return { workspaceId, type: `media.${state}`, subjectId: boardId, facts: { media_id: id }, createdAt };
}

/** Processes the sources of media items: once for each revision, also when a job is delivered twice or late. */
export class ProcessMedia {
  constructor(
    private readonly media: MediaStore,
    private readonly preparation: PrepareMedia,
    private readonly jobs: Jobs,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly events: EventLog,
  ) {}

  /** @throws the error of the preparation: the job is then retried, or fails for good */
  async run(mediaId: number, revision: number, run: JobRun): Promise<void> {
    const media = await this.media.waiting(mediaId, revision);
    if (!media) return;
    const { files, fileIds } = await this.preparation.prepare(media.workspaceId, media.sources, run.signal);
    await this.unitOfWork.run(async () => {
      const ended = processed(media, files);
      if (await this.media.end(ended, fileIds)) await this.events.record(endOfMedia(ended, this.clock.now()));
      // Deleted meanwhile, or ended by another run.
      else await scheduleFileDeletion(this.jobs, media.workspaceId, fileIds);
    });
  }
}
