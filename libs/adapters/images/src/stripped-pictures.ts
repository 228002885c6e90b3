import type { Readable } from 'node:stream';
import type { BarePictures, Marking, ObjectBody } from '#files';
import { DomainError, Semaphore } from '#kernel';
import { SourceFailure, type TemporaryFolders } from '#sources';
import { SharpPictures } from './pictures-and-videos.ts';
import { PictureProcesses } from './process/picture-processes.ts';

/**
 * Removes the metadata of pictures in a child process, one picture at a time, so that uploads need little memory and
 * temporary space. A TIFF has metadata between its pixels, so it is re-encoded without loss.
 */
export class StrippedPictures implements BarePictures {
  readonly #oneAtATime = new Semaphore(1);
  readonly #pictures = new SharpPictures(new PictureProcesses({ atOnce: 1 }));

  constructor(private readonly folders: TemporaryFolders) {}

  use<T>(
    open: () => Promise<Readable>,
    contentType: string,
    work: (bare: ObjectBody, marking: Marking | null) => Promise<T>,
  ): Promise<T> {
    return this.#oneAtATime.on(1, async () => {
      return this.folders.use(async (folder) => {
        const [file, bare] = [`${folder}/picture`, `${folder}/bare`];
        await this.folders.save(await open(), file);
        const marking = await this.#strip(file, bare, contentType);
        return work({ file: bare }, marking);
      });
    });
  }

  async #strip(file: string, bare: string, contentType: string): Promise<Marking | null> {
    try {
      if (contentType !== 'image/tiff') return await this.#pictures.strip(file, bare, contentType);
      return (await this.#pictures.derive(file, { original: bare, thumbnails: [] })).marking;
    } catch (error) {
      if (!(error instanceof SourceFailure)) throw error;
      const isTooLarge = error.code === 'picture_too_large';
      throw isTooLarge
        ? new DomainError('too_large', 'the picture is too large for its metadata to be removed', { cause: error })
        : new DomainError('file_type_mismatch', 'the picture is damaged: its metadata cannot be removed', {
            cause: error,
          });
    }
  }
}
