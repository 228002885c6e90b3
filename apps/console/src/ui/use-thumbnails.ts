import { useQuery } from '@tanstack/react-query';
import { x12 } from '../api/index.ts';
import type { StoredMedia } from './media.ts';
import { Lookup } from './lookup.ts';

type Found = Pick<StoredMedia, 'placeholder' | 'thumbnails'>;

/** Maximum URLs of one call: they are part of its own URL. */
const MAX_URLS = 12;
/** Thumbnails of an upload are made within seconds: it is asked again after 1, 2, 4, 8 and 16 seconds, and no more. */
const MAX_TRIES = 6;

/** The place of a file below the address of the service, which may have changed. */
const placeOf = (url: string) => url.split('/').slice(-2).join('/');

const lookup = new Lookup<Found | null>(MAX_URLS, async (urls) => {
  const { files } = await x12.library.thumbnails.list({ urls: urls.map((url) => url.replaceAll(',', '%2C')) });
  const byPlace = new Map(files.map(({ url, ...found }) => [placeOf(url), found]));
  return urls.map((url) => byPlace.get(placeOf(url)) ?? null);
});

/** Thumbnails and placeholder of a stored file; null for another URL, and until they are known. */
export function useThumbnails(url: string): Found | null {
  const { data = null } = useQuery({
    queryKey: ['thumbnails', url],
    queryFn: () => lookup.find(url),
    staleTime: 300_000,
    refetchOnWindowFocus: false,
    refetchInterval: ({ state: { data: found, dataUpdateCount: tries } }) =>
      found?.thumbnails?.length === 0 && tries < MAX_TRIES ? 500 * 2 ** tries : false,
  });
  return data;
}
