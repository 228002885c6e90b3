import { scheduleFileDeletion } from '#files';
import type { Jobs, JobRun, UnitOfWork } from '#kernel';
import type { MediaItems } from '../ports/media-items.ts';
import type { MediaPreparation } from '../ports/media-preparation.ts';

/** Processes a media's sources: once for each revision, whatever is delivered twice or comes too late. */
export class ProcessMedia {
  readonly #media: MediaItems;
  readonly #preparation: MediaPreparation;
  readonly #jobs: Jobs;
  readonly #unitOfWork: UnitOfWork;

  constructor(media: MediaItems, preparation: MediaPreparation, jobs: Jobs, unitOfWork: UnitOfWork) {
    this.#media = media;
    this.#preparation = preparation;
    this.#jobs = jobs;
    this.#unitOfWork = unitOfWork;
  }

  /** @throws what the preparation throws: the job is then tried again, or given up */
  async run(mediaId: number, revision: number, run: JobRun): Promise<void> {
    const media = await this.#media.toProcess(mediaId, revision);
    if (!media) return;
    const prepared = await this.#preparation.prepare(media.workspaceId, media, run.signal);
    await this.#unitOfWork.run(async () => {
      if (await this.#media.finish(mediaId, revision, prepared)) return;
      // Deleted meanwhile, or finished by another run.
      await scheduleFileDeletion(this.#jobs, prepared.fileIds);
    });
  }
}
