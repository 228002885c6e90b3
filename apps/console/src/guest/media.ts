import type { Media } from './api.ts';
import { memory } from './memory.ts';
import { words } from './words.ts';

export function isPicture({ kind }: Pick<Media, 'kind'>): boolean {
  return kind === 'picture' || kind === 'drawing';
}

/** Reports whether an item has a version that this browser has not shown yet. */
export function isNewVersion({ id, version }: Media): boolean {
  return version > 1 && !memory.read('seen').split(' ').includes(String(id));
}

/** Label of a tile for screen readers. */
export function describe(item: Media): string {
  const { name, decision, comments_count: comments } = item;
  const parts = [
    name,
    isNewVersion(item) && words.newVersion,
    decision !== 'none' && words.decisions[decision],
    comments > 0 && words.comments(comments),
  ];
  return parts.filter(Boolean).join(', ');
}

/** The thumbnails by their width, and the picture itself where guests may see it: the value of `srcset`. */
export function sourcesOf(media: Media, isWhole = false): string | undefined {
  const { thumbnails, url, width } = media;
  const sources = thumbnails.map((each) => `${each.url} ${each.width}w`);
  if (isWhole && isPicture(media) && url !== null && width !== null) sources.push(`${url} ${width}w`);
  return sources.length > 0 ? sources.join(', ') : undefined;
}

/** The URL of the smallest picture of an item, the original if it has no thumbnail; null without one. Not for tiles. */
export function pictureOf(media: Media): string | null {
  return media.thumbnails[0]?.url ?? (isPicture(media) ? media.url : null);
}
