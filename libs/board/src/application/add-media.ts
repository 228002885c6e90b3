import { notFound, type Clock, type Jobs, type UnitOfWork } from '#kernel';
import type { Actor } from '#identity';
import type { AdoptFile, ObjectStorage } from '#files';
import { extrasOf } from '../domain/extras.ts';
import { firstState, type MediaSources } from '../domain/media.ts';
import type { MediaItems, MediaJson } from '../ports/media-items.ts';

export interface MediaRequest extends MediaSources {
  readonly folderId: number | null;
  readonly extras: string | null;
}

/** Puts a media on a board; its sources are processed by a job. */
export class AddMedia {
  readonly #media: MediaItems;
  readonly #adoptFile: Pick<AdoptFile, 'run'>;
  readonly #storage: Pick<ObjectStorage, 'publicUrl'>;
  readonly #jobs: Jobs;
  readonly #unitOfWork: UnitOfWork;
  readonly #clock: Clock;

  constructor(
    media: MediaItems,
    adoptFile: Pick<AdoptFile, 'run'>,
    storage: Pick<ObjectStorage, 'publicUrl'>,
    jobs: Jobs,
    unitOfWork: UnitOfWork,
    clock: Clock,
  ) {
    this.#media = media;
    this.#adoptFile = adoptFile;
    this.#storage = storage;
    this.#jobs = jobs;
    this.#unitOfWork = unitOfWork;
    this.#clock = clock;
  }

  /** @throws DomainError `not_found` (board or folder), `validation_failed`; `file_expired` for a stored URL */
  run(actor: Actor, boardId: number, request: MediaRequest): Promise<MediaJson> {
    const extras = request.extras === null ? null : extrasOf(request.extras);
    return this.#unitOfWork.run(async () => {
      const url = await this.#adopted(actor, request.url);
      const controlImage = await this.#adopted(actor, request.controlImage);
      const added = await this.#media.add({
        workspaceId: actor.workspaceId,
        boardId,
        folderId: request.folderId,
        createdBy: actor.userId,
        extras,
        url: url.source,
        controlImage: controlImage.source,
        state: firstState(request),
        createdAt: this.#clock.now(),
        fileIds: [...url.fileIds, ...controlImage.fileIds],
      });
      if ('missing' in added) throw notFound(added.missing);
      if (firstState(request) === 'created') {
        await this.#jobs.announce({ name: 'media.process', payload: { mediaId: added.id, revision: 1 } });
      }
      return added.json;
    });
  }

  /** A stored file of the workspace is kept for the media from now on, a temporary one as a permanent copy. */
  async #adopted(actor: Actor, url: string | null): Promise<{ source: string | null; fileIds: number[] }> {
    if (url === null) return { source: null, fileIds: [] };
    const file = await this.#adoptFile.run({ workspaceId: actor.workspaceId, url });
    if (!file) return { source: url, fileIds: [] };
    return { source: this.#storage.publicUrl(file.key), fileIds: [file.id] };
  }
}
