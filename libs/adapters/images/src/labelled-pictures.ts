import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { PictureLabels } from '#download';
import type { SignCopy, TemporaryFolders } from '#sources';
import type { SharpPictures } from './pictures-and-videos.ts';

/** Draws labels in picture processes, on temporary copies. */
export class LabelledPictures implements PictureLabels {
  constructor(
    private readonly pictures: Pick<SharpPictures, 'label'>,
    private readonly sign: SignCopy,
    private readonly folders: TemporaryFolders,
  ) {}

  async label(bytes: Readable, text: string): Promise<Readable | null> {
    const { folders } = this;
    return folders.use(async (folder) => {
      const [file, target] = [`${folder}/picture`, `${folder}/labelled`];
      await folders.save(bytes, file);
      // The picture is sent as it is, and the zip says so: a download must not end for it.
      const facts = await this.pictures.label(file, target, text).catch(() => null);
      if (!facts) return null;
      const signed = await this.sign({ ...facts, file: target }, { file, contentType: facts.contentType });
      // The folder is deleted now: the bytes stay until the stream is closed.
      return (await open(signed)).createReadStream();
    });
  }
}
