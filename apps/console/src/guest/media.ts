import { pictureUrl } from '#client/picture-url';
import { stageSteps } from '../file-url.ts';
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

/**
 * The thumbnails by their width, and where guests may see it the picture itself, and variants of one that is much larger: the
 * value of `srcset`.
 */
export function sourcesOf(media: Media): string | undefined {
  const { thumbnails, url, width } = media;
  const sources = thumbnails.map((each) => `${each.url} ${each.width}w`);
  if (isPicture(media) && url !== null && width !== null) {
    for (const step of stageSteps(url, width)) sources.push(`${pictureUrl(url, { width: step })} ${step}w`);
    sources.push(`${url} ${width}w`);
  }
  return sources.length > 0 ? sources.join(', ') : undefined;
}

/** The URL of the smallest picture of an item, the original if it has no thumbnail; null without one. Not for tiles. */
export function pictureOf(media: Media): string | null {
  return media.thumbnails[0]?.url ?? (isPicture(media) ? media.url : null);
}
