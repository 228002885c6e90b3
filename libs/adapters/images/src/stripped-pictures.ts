import type { Readable } from 'node:stream';
import type { BarePictures, ObjectBody } from '#files';
import { DomainError } from '#kernel';
import { SourceFailure, type TemporaryFolders } from '#sources';
import { SharpPictures } from './pictures-and-videos.ts';
import { PictureProcesses, Places } from './process/picture-processes.ts';

/**
 * Cuts metadata out of pictures, in another process and one picture at a time, so that memory and temporary space stay
 * small whatever is uploaded. TIFF has metadata anywhere between its pixels, so it is encoded again, without loss.
 */
export class StrippedPictures implements BarePictures {
  readonly #place = new Places(1);
  readonly #pictures = new SharpPictures(new PictureProcesses({ atOnce: 1 }));
  #folders: TemporaryFolders | undefined;

  /** @param openFolders called when the first picture comes */
  constructor(private readonly openFolders: () => Promise<TemporaryFolders>) {}

  use<T>(open: () => Promise<Readable>, contentType: string, work: (bare: ObjectBody) => Promise<T>): Promise<T> {
    return this.#place.on(1, async () => {
      const folders = (this.#folders ??= await this.openFolders());
      return folders.use(async (folder) => {
        const [file, bare] = [`${folder}/picture`, `${folder}/bare`];
        await folders.save(await open(), file);
        await this.#strip(file, bare, contentType);
        return work({ file: bare });
      });
    });
  }

  async #strip(file: string, bare: string, contentType: string): Promise<void> {
    try {
      if (contentType === 'image/tiff') await this.#pictures.derive(file, { original: bare, thumbnails: [] });
      else await this.#pictures.strip(file, bare, contentType);
    } catch (error) {
      if (!(error instanceof SourceFailure)) throw error;
      const isTooLarge = error.code === 'picture_too_large';
      throw isTooLarge
        ? new DomainError('too_large', 'the picture is too large for its metadata to be removed', { cause: error })
        : new DomainError('file_type_mismatch', 'the picture is damaged: its metadata can not be removed', {
            cause: error,
          });
    }
  }
}
