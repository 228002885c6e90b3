import type { Actor } from '#identity';
import { DomainError } from '#kernel';
import type { WorkspaceFileRecords } from './ports.ts';
import type { WorkspaceUrls } from './workspace-urls.ts';

export interface SignOptions {
  /** Lifetime of the URLs; default: that of URLs in responses. */
  readonly seconds?: number | undefined;
  /** The query string of a transformation; default none. */
  readonly options?: string;
}

export interface SignedFile {
  readonly id: number;
  readonly url: string;
  /** `null` for a URL that does not expire. */
  readonly expiresAt: Date | null;
}

/** Makes URLs of files on request. */
export class SignedFiles {
  constructor(
    private readonly records: Pick<WorkspaceFileRecords, 'keysOf'>,
    private readonly urls: WorkspaceUrls,
  ) {}

  /**
   * @returns the URLs of the files, in their order
   * @throws DomainError `not_found` for a file that is unknown, deleted or of another workspace: none is signed then
   */
  async sign(actor: Actor, fileIds: readonly number[], { seconds, options }: SignOptions): Promise<SignedFile[]> {
    const keys = await this.records.keysOf(actor.workspaceId, fileIds);
    const unknown = fileIds.find((id) => !keys.has(id));
    if (unknown !== undefined) throw new DomainError('not_found', `there is no file ${unknown} in this workspace`);
    const urls = this.urls.as(actor, { seconds });
    return fileIds.map((id) => ({ id, url: urls.urlOf(keys.get(id)!, options), expiresAt: urls.expiresAt }));
  }
}
