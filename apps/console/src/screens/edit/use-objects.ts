import { useMemo, useState } from 'react';
import type { GenerationResponse } from '../../api/index.ts';
import { type Origin, type PricedModel, requestOn, useGenerate } from '../../ui/index.ts';
import type { Mark } from './drawing.ts';
import type { Point, Size } from './geometry.ts';
import type { EditState } from './kept-edits.ts';
import type { StoredMasks } from './mask-canvas.ts';
import { useStoredMasks } from './stored-masks.ts';
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
  const [isStarting, setStarting] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const found = useFollowed(edit.objects);
  const urls = useMemo(() => urlsOf(found, marks), [found, marks]);
  const { masks: stored, hasFailed } = useStoredMasks(urls);
  const masks: StoredMasks = useMemo(() => new Map([...stored].map(([url, { canvas }]) => [url, canvas])), [stored]);

  const find = async () => {
    if (!by) return;
    setStarting(true);
    setError(null);
    try {
      const id = await generate(requestOn(edited, by.model));
      if (id !== null) change({ objects: id });
    } catch (failure) {
      setError(failure);
    } finally {
      setStarting(false);
    }
  };
  /** The mask of the smallest object at a point of the picture. */
  const at = (point: Point, size: Size): string | undefined => {
    const there = [...stored].filter(([, mask]) => mask.covers(point, size));
    return there.sort(([, one], [, other]) => one.share - other.share)[0]?.[0];
  };
  return { by, found, masks, isStarting, error, hasFailedMasks: hasFailed, find: () => void find(), at };
}

function urlsOf(found: GenerationResponse | undefined, marks: readonly Mark[]): readonly string[] {
  const marked = marks.flatMap((mark) => (mark.kind === 'object' ? [mark.url] : []));
  const all = found?.state === 'succeeded' ? found.outputs.map(({ url }) => url) : [];
  return [...new Set([...all, ...marked])];
}
