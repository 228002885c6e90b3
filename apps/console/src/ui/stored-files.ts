import { useQuery } from '@tanstack/react-query';
import { x12 } from '../api/index.ts';
import { unsigned } from '../file-url.ts';
import { Lookup } from './lookup.ts';
import type { StoredMedia } from './media.ts';

type Found = Pick<StoredMedia, 'url' | 'placeholder' | 'thumbnails'>;

/** Maximum URLs of one call: they are part of its own URL. */
const MAX_URLS = 12;
/** Thumbnails of an upload are made within seconds: it is asked again after 1, 2, 4, 8 and 16 seconds, and no more. */
const MAX_TRIES = 6;

/** The place of a file below the address of the service, which may have changed. */
const placeOf = (url: string) => unsigned(url).split('/').slice(-2).join('/');

const lookup = new Lookup<Found | null>(MAX_URLS, async (urls) => {
  const { files } = await x12.library.thumbnails.list({ urls: urls.map((url) => url.replaceAll(',', '%2C')) });
  const byPlace = new Map(files.map((file) => [placeOf(file.url), file]));
  return urls.map((url) => byPlace.get(placeOf(url)) ?? null);
});

/** A stored file as the service shows it now; null for another URL, and until it is known. */
export function useStoredFile(url: string): Found | null {
  const key = unsigned(url);
  const { data = null } = useQuery({
    queryKey: ['thumbnails', key],
    queryFn: () => lookup.find(key),
    staleTime: 300_000,
    refetchOnWindowFocus: false,
    refetchInterval: ({ state: { data: found, dataUpdateCount: tries } }) =>
      found?.thumbnails?.length === 0 && tries < MAX_TRIES ? 500 * 2 ** tries : false,
  });
  return data;
}

/** The URL that opens a stored file now, for one that is unsigned or has expired; others stay as they are. */
export async function openUrlOf(url: string): Promise<string> {
  return (await lookup.find(unsigned(url)))?.url ?? url;
}
