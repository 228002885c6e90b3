import { DomainError } from '#kernel';

/** Maximum versions of a media item. */
export const MAX_VERSIONS = 100;

/** A media item with its place on the board, which the next version takes. */
export interface MediaPlace {
  readonly id: number;
  readonly folderId: number | null;
  readonly place: number;
  /** The newest version, for one that it has replaced. */
  readonly replacedBy: number | null;
  /** Versions up to this one. */
  readonly version: number;
}

/** @throws DomainError `conflict` for a version that was replaced before, and for the last one */
export function assertReplaceable({ replacedBy, version }: MediaPlace): void {
  if (replacedBy !== null) throw new DomainError('conflict', `media item ${replacedBy} is a newer version`);
  if (version >= MAX_VERSIONS) throw new DomainError('conflict', `a media item has ${MAX_VERSIONS} versions at most`);
}
