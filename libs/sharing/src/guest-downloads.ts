import { assertCount, MAX_FILES, type Zips } from '#download';
import { assertAllows } from './domain/share.ts';
import type { Visit } from './guests.ts';
import type { SharedContents } from './ports.ts';

/** Zips of what a link shows. */
export class GuestDownloads {
  constructor(
    private readonly contents: Pick<SharedContents, 'files'>,
    private readonly zips: Pick<Zips, 'stream'>,
  ) {}

  /**
   * The originals, or with a watermark the marked pictures; the list of files in it has names alone.
   *
   * @param mediaIds `null` for all
   * @throws DomainError `forbidden`; `validation_failed` for no files, and too many
   */
  async open({ share }: Visit, mediaIds: readonly number[] | null): Promise<AsyncIterable<Uint8Array>> {
    assertAllows(share, 'download');
    const files = await this.contents.files(share, mediaIds, MAX_FILES + 1);
    assertCount(files.length);
    return this.zips.stream(files, null);
  }
}
