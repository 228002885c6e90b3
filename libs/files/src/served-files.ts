import { DomainError, type Clock } from '#kernel';
import { isProbeKey } from './domain/object-key.ts';
import { permissionOf, readFileQuery, validKeyVersions } from './domain/signed-url.ts';
import { isSeen } from './domain/visibility.ts';
import { opensUnsigned, type WorkspaceFiles } from './domain/workspace-files.ts';
import type { FileRecords, FileSignatures } from './ports.ts';

/** The permission to read a file. */
export type FilePermission =
  /** Anyone may read it at its public place. `isCertain`: false if its record could not be read. */
  | { readonly of: 'anyone'; readonly isCertain: boolean; readonly optionsAreSigned: false }
  /** The reader of this URL may read it at either place until then; `null` for this once. */
  | { readonly of: 'reader'; readonly until: Date | null; readonly optionsAreSigned: boolean };

/** Decides who may read a file by its URL. */
export class ServedFiles {
  constructor(
    private readonly records: Pick<FileRecords, 'served'>,
    private readonly signatures: FileSignatures | null,
    private readonly clock: Clock,
  ) {}

  /**
   * The permission of a URL; `null` for none. A deleted file has none, before its bytes are deleted. While the database is
   * unavailable, files at the public place are served, and no others.
   *
   * @param query of the URL, without `?`
   */
  async permissionOf(key: string, query: string): Promise<FilePermission | null> {
    if (isProbeKey(key)) return ANYONE;
    const read = readFileQuery(query);
    const now = this.clock.now();
    const file = await this.records.served(key, read.signed?.shareId ?? null, now).catch((error: unknown) => {
      if (error instanceof DomainError && error.code === 'unavailable') return 'unknown' as const;
      throw error;
    });
    if (file === 'unknown') return { ...ANYONE, isCertain: false };
    if (!file || !isSeen('url', file.state)) return null;
    if (!file.workspace.filesArePrivate) return ANYONE;
    const permission = permissionOf(key, read, now, this.#verifier(file.workspace, now));
    if (permission && (permission.shareId === null || file.isShareOpen)) {
      return { of: 'reader', until: permission.expiresAt, optionsAreSigned: permission.optionsAreSigned };
    }
    return opensUnsigned(file.workspace) ? { of: 'reader', until: null, optionsAreSigned: false } : null;
  }

  #verifier({ workspaceId, fileKeyVersion, keyRotatedAt }: WorkspaceFiles, now: Date) {
    const versions = validKeyVersions({ version: fileKeyVersion, rotatedAt: keyRotatedAt }, now);
    return (text: string, signature: string): boolean =>
      versions.some((version) => this.signatures?.isSignature(workspaceId, version, text, signature));
  }
}

const ANYONE = { of: 'anyone', isCertain: true, optionsAreSigned: false } as const;
