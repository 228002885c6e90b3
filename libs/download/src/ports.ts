import type { Readable } from 'node:stream';
import type { FileOrigin, StoredFile } from '#files';
import type { TokenHash } from '#identity';
import type { Metadata } from '#kernel';
import type { Download, SelectedItems, Selection } from './domain/download.ts';
import type { PlacedFile } from './domain/paths.ts';

export type NewDownload = Omit<Download, 'id'> & { readonly hash: TokenHash };

/** Links to zips. Methods other than reads must be called inside a unit of work. */
export interface DownloadStore {
  /** Adds a link, and forgets the links of its user that have expired by `now`. @returns its id */
  add(download: NewDownload, now: Date): Promise<number>;

  /** The link with this hash that expires after `now`. */
  find(hash: TokenHash, now: Date): Promise<Download | null>;

  /** Starts the stream of a link until `until`. False while another of the same user runs, however many calls race. */
  start(download: Download, now: Date, until: Date): Promise<boolean>;

  /** Says that the stream runs until `until`; `null` when it has ended. */
  keep(id: number, until: Date | null): Promise<void>;
}

/** A file of a selection. */
export interface DownloadedFile extends PlacedFile, Pick<StoredFile, 'origin' | 'contentType'> {
  readonly id: number;
  /** Object key. */
  readonly key: string;
  /** Bytes. */
  readonly size: number;
  readonly createdAt: Date;
}

/** A file that a zip names, with its bytes where there are any. */
export interface ZippedFile extends Omit<DownloadedFile, 'key' | 'size' | 'origin' | 'contentType'> {
  /** Text of a visible label to draw on the picture; none by default. */
  readonly label?: string | null;
  /** Object key; `null` for a file that is not made. */
  readonly key: string | null;
}

/** How a file was made, which but for its origin is null for an upload or an import, and the custom data of the file. */
export interface FileFacts {
  readonly origin: FileOrigin;
  /** The digital source type by its generation, a URI. */
  readonly digitalSource: string | null;
  readonly prompt: string | null;
  readonly model: string | null;
  readonly seed: string | null;
  /** Credits of its generation, which may have made several files. */
  readonly cost: number | null;
  readonly customer: string | null;
  readonly metadata: Metadata | null;
}

/** The files of a workspace. Deleted and temporary files are in none of the reads. */
export interface DownloadedFiles {
  /** The files of a selection, at most `limit`; `null` when its board or folder is not in the workspace. */
  list(workspaceId: number, selection: Selection, limit: number): Promise<readonly DownloadedFile[] | null>;

  /** The items of a selection that are in the workspace, by id: whether they are ready, or have ended without a file. */
  readiness(workspaceId: number, items: SelectedItems): Promise<ReadonlyMap<number, boolean>>;

  /** By file id. */
  facts(fileIds: readonly number[]): Promise<ReadonlyMap<number, FileFacts>>;
}

/** Draws visible labels on pictures. */
export interface PictureLabels {
  /**
   * The picture with a label in its bottom right corner, in its own format and size, with its provenance: one that is read
   * or destroyed. `null` for what can't be labelled: an animation, a GIF, a drawing, a damaged picture.
   *
   * @throws the error of `bytes`
   */
  label(bytes: Readable, text: string): Promise<Readable | null>;
}
