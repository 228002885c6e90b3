import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import { invalidField } from '#kernel';
import { type Pictures, SourceFailure, type TemporaryFolders } from '#sources';
import { pictureTransforms, variantFolders } from '#wiring';

/** Masks as OpenAI's API has them: transparent where the picture is to change. */
@Injectable()
export class AlphaMasks {
  constructor(
    @Inject(pictureTransforms) private readonly pictures: Pick<Pictures, 'examine' | 'mask'>,
    @Inject(variantFolders) private readonly folders: TemporaryFolders,
  ) {}

  /**
   * The mask as this service takes it: white where the picture is to change. A mask without transparency is one already.
   *
   * @throws DomainError `validation_failed` for what is no picture
   */
  async read(mask: Buffer): Promise<Buffer> {
    return this.folders.use(async (folder) => {
      const [file, target] = [join(folder, 'mask'), join(folder, 'white.png')];
      await writeFile(file, mask);
      try {
        const { width, height } = await this.pictures.examine(file);
        const wanted = { width, height, form: 'white', area: 'transparent' } as const;
        const { isEmpty } = await this.pictures.mask(file, target, wanted);
        return isEmpty ? mask : await readFile(target);
      } catch (error) {
        if (error instanceof SourceFailure) throw invalidField('mask', error.message);
        throw error;
      }
    });
  }
}
