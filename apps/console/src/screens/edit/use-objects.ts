import { useMutation, useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { GenerationResponse } from '../../api/index.ts';
import { unsigned } from '../../file-url.ts';
import { type Origin, type PricedModel, requestOn, useGenerate } from '../../ui/index.ts';
import type { Mark } from './drawing.ts';
import { fetched } from './files-to-send.ts';
import type { Point, Size } from './geometry.ts';
import type { EditState } from './kept-edits.ts';
import { contextOf, newCanvas, type StoredMasks } from './mask-canvas.ts';
import { useFollowed } from './use-ask.ts';

interface ObjectsOf {
  readonly edited: Origin;
  /** The model that finds objects; null without one. */
  readonly by: PricedModel | null;
  readonly marks: readonly Mark[];
  readonly edit: Pick<EditState, 'objects'>;
  readonly change: (part: Partial<EditState>) => void;
}

/** The objects of the picture, found by a model that makes masks. */
export function useObjects({ edited, by, marks, edit, change }: ObjectsOf) {
  const { generate } = useGenerate();
  const found = useFollowed(edit.objects);
  const urls = useMemo(() => urlsOf(found, marks), [found, marks]);
  const { masks: stored, hasFailed } = useStoredMasks(urls);
  const masks: StoredMasks = useMemo(() => new Map([...stored].map(([url, { canvas }]) => [url, canvas])), [stored]);

  const finding = useMutation({
    mutationFn: async () => by && generate(requestOn(edited, by.model)),
    onSuccess: (id) => id !== null && change({ objects: id }),
  });
  /** The mask of the smallest object at a point of the picture. */
  const at = (point: Point, size: Size): string | undefined => {
    const there = [...stored].filter(([, mask]) => mask.covers(point, size));
    return there.sort(([, one], [, other]) => one.share - other.share)[0]?.[0];
  };
  const { isPending: isStarting, error } = finding;
  return { by, found, masks, isStarting, error, hasFailedMasks: hasFailed, find: () => finding.mutate(), at };
}

function urlsOf(found: GenerationResponse | undefined, marks: readonly Mark[]): readonly string[] {
  const marked = marks.flatMap((mark) => (mark.kind === 'object' ? [mark.url] : []));
  const all = found?.state === 'succeeded' ? found.outputs.map(({ url }) => unsigned(url)) : [];
  return [...new Set([...all, ...marked])];
}

/** A longer mask is read smaller: it stays far sharper than people click. */
const LONGEST = 2048;

/** A mask of the storage. */
interface StoredMask {
  /** White where the mask is, else transparent. */
  readonly canvas: HTMLCanvasElement;
  /** How much of the picture it covers: 0 to 1. */
  readonly share: number;
  /** Reports whether it covers a point of the picture. */
  covers(point: Point, picture: Size): boolean;
}

/** Loads masks by their unsigned URL. Masks that can't be loaded are left out. */
function useStoredMasks(urls: readonly string[]): {
  readonly masks: ReadonlyMap<string, StoredMask>;
  readonly hasFailed: boolean;
} {
  return useQueries({
    queries: urls.map((url) => ({ queryKey: ['stored-mask', url], queryFn: () => readMask(url), staleTime: Infinity })),
    combine: (results) => ({
      masks: new Map(results.flatMap(({ data }, at) => (data ? [[urls[at]!, data] as const] : []))),
      hasFailed: results.some(({ isError }) => isError),
    }),
  });
}

async function readMask(url: string): Promise<StoredMask> {
  const bitmap = await createImageBitmap(await fetched(url));
  const scale = Math.min(1, LONGEST / Math.max(bitmap.width, bitmap.height));
  const canvas = newCanvas(bitmap.width * scale, bitmap.height * scale);
  const context = contextOf(canvas);
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  const pixels = context.getImageData(0, 0, canvas.width, canvas.height);
  const { data, width, height } = pixels;
  let covered = 0;
  for (let at = 0; at < data.length; at += 4) {
    // Masks are white on black, or on nothing.
    const value = (data[at]! * data[at + 3]!) / 255;
    data[at] = data[at + 1] = data[at + 2] = 255;
    data[at + 3] = value;
    if (value > 127) covered++;
  }
  context.putImageData(pixels, 0, 0);
  return {
    canvas,
    share: covered / (width * height),
    covers: (point, picture) => {
      const x = Math.floor((point.x / picture.width) * width);
      const y = Math.floor((point.y / picture.height) * height);
      return x >= 0 && y >= 0 && x < width && y < height && data[(y * width + x) * 4 + 3]! > 127;
    },
  };
}
