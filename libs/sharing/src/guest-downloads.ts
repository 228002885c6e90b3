import { assertCount, MAX_FILES, type FileIndex, type Zips } from '#download';
import type { UnitOfWork } from '#kernel';
import { assertAllows } from './domain/share.ts';
import type { Visit } from './guests.ts';
import type { SharedContents, SharedFile } from './ports.ts';
import type { RequestedPictures } from './requested-pictures.ts';

const INDEX: FileIndex<SharedFile> = {
  columns: ['digital_source_type'],
  values: async (files) => files.map(({ digitalSource }) => [digitalSource]),
};

/** Zips of what a link shows. */
export class GuestDownloads {
  constructor(
    private readonly contents: Pick<SharedContents, 'files'>,
    private readonly zips: Pick<Zips, 'stream'>,
    private readonly requested: Pick<RequestedPictures, 'request'>,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * The originals, or with a watermark or a label the marked pictures; the list of files in it has names and digital source
   * types alone. Pictures that are not marked yet are being made from then on; until then the zip names them as missing.
   *
   * @param mediaIds `null` for all
   * @throws DomainError `forbidden`; `validation_failed` for no files, and too many
   */
  async open({ share }: Visit, mediaIds: readonly number[] | null): Promise<AsyncIterable<Uint8Array>> {
    assertAllows(share, 'download');
    const files = await this.contents.files(share, mediaIds, MAX_FILES + 1);
    assertCount(files.length);
    const unmade = files.filter(({ key }) => key === null).map(({ mediaId }) => mediaId);
    if (unmade.length > 0) await this.unitOfWork.run(() => this.requested.request(share, unmade));
    return this.zips.stream(files, INDEX);
  }
}
