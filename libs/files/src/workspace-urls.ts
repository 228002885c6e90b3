import { DomainError, type Clock } from '#kernel';
import { expiryOfUrls, queryOfSigned, signedTextOf } from './domain/signed-url.ts';
import type { FileUrls, StoredUrls } from './domain/stored-urls.ts';
import type { FileAccess } from './domain/workspace-files.ts';
import type { FileSignatures, WorkspaceFileRecords } from './ports.ts';

/** The URLs of files for a response, and how long they are valid. */
export interface IssuedUrls extends FileUrls {
  /** @param options the query string of a transformation, which is signed too; default none */
  urlOf(key: string, options?: string): string;
  /** `null` for URLs that do not expire. */
  readonly expiresAt: Date | null;
  /** Differs when the URL of the same file does. */
  readonly version: string;
}

export interface UrlLimits {
  /** The link with which the URLs end; default none. */
  readonly share?: { readonly id: number; readonly expiresAt: Date | null };
  /** Exact lifetime of the URLs; default: the setting, rounded up to the hour. */
  readonly seconds?: number | undefined;
}

/** Makes the URLs of files for responses: in a private workspace they are signed, and expire. */
export class WorkspaceUrls {
  constructor(
    private readonly stored: StoredUrls,
    private readonly signatures: FileSignatures | null,
    private readonly records: Pick<WorkspaceFileRecords, 'find' | 'accessOfKey'>,
    private readonly clock: Clock,
    private readonly ttlSeconds: number,
  ) {}

  /** @throws DomainError `unavailable` for a private workspace when the service has no secret for signatures */
  as(access: FileAccess, limits: UrlLimits = {}): IssuedUrls {
    const { stored } = this;
    if (!access.filesArePrivate) {
      const urlOf = (key: string, options = '') =>
        options === '' ? stored.plainUrlOf(key) : stored.urlAtApi(key, options);
      return { urlOf, expiresAt: null, version: '' };
    }
    const { workspaceId, fileKeyVersion } = access;
    const { signatures } = this;
    if (!signatures) throw new DomainError('unavailable', 'STORAGE_SIGNING_SECRET is missing: no URL can be signed');
    const expires = this.#expiryOf(limits);
    const shareId = limits.share?.id ?? null;
    return {
      urlOf(key, options = '') {
        const url = { key, expires, shareId, options };
        const signature = signatures.sign(workspaceId, fileKeyVersion, signedTextOf(url));
        return stored.urlAtApi(key, queryOfSigned(url, signature));
      },
      expiresAt: new Date(expires * 1000),
      version: `${fileKeyVersion}-${expires}`,
    };
  }

  /** @throws DomainError `not_found`; as `as` */
  async of(workspaceId: number, limits?: UrlLimits): Promise<IssuedUrls> {
    return this.as(await this.records.find(workspaceId), limits);
  }

  /** The URL of a file that may be in another workspace than the reader; `null` when there is no such file. */
  async ofFile(key: string): Promise<string | null> {
    const access = await this.records.accessOfKey(key);
    return access && this.as(access).urlOf(key);
  }

  #expiryOf({ share, seconds }: UrlLimits): number {
    const now = this.clock.now();
    if (seconds !== undefined) return Math.floor(now.getTime() / 1000) + seconds;
    return expiryOfUrls(now, this.ttlSeconds, share?.expiresAt ?? null);
  }
}
