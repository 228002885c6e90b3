import { useQuery } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import {
  type GenerationResponse,
  generationsGetOptions,
  isOpen,
  type ModelDto,
  useLiveGenerations,
  x12,
} from '../../api/index.ts';
import { editModels, type Origin, requestOn, useGenerate } from '../../ui/index.ts';
import { extendedPicture, maskFile } from './files-to-send.ts';
import type { EditState } from './kept-edits.ts';
import type { StoredMasks } from './mask-canvas.ts';
import type { MaskPlan } from './outlines.ts';
import { words } from './words.ts';

/** Progress of a request: the mask is painted, then uploaded. */
export type Sending =
  | { readonly phase: 'painting' | 'starting' }
  | { readonly phase: 'uploading'; readonly share: number };

interface Uploaded {
  readonly plan: MaskPlan;
  readonly image: string;
  readonly mask_image: string;
  /** Milliseconds. */
  readonly until: number;
}

/** Nothing of the mask is white. */
export class NothingMarked extends Error {
  override readonly name = 'NothingMarked';
}

/** Some minutes before the service deletes temporary files, they are uploaded again. */
const EARLY_MS = 600_000;

/** Starts generations that change the marked part of a picture. */
function useAsk({ url, pid, output }: Origin) {
  const { generate } = useGenerate();
  const [sending, setSending] = useState<Sending | null>(null);
  const [error, setError] = useState<unknown>(null);
  const uploaded = useRef<Uploaded | null>(null);

  /** Uploads what the plan shows, once: the same request is then sent again. */
  const upload = async (plan: MaskPlan, masks: StoredMasks): Promise<Uploaded> => {
    if (uploaded.current?.plan === plan && uploaded.current.until > Date.now()) return uploaded.current;
    setSending({ phase: 'painting' });
    // Lets the browser show it first: painting a large mask keeps it busy.
    await new Promise((shown) => setTimeout(shown, 30));
    const mask = await maskFile(plan, masks);
    if (!mask) throw new NothingMarked(words.ask.nothingMarked);
    const picture = plan.picture ? await extendedPicture(url, plan.frame) : null;
    const files = picture ? [mask, picture] : [mask];
    const sent = files.map(() => 0);
    const total = files.reduce((sum, file) => sum + file.size, 0);
    const stored = await Promise.all(
      files.map((file, at) =>
        x12.upload(file, {
          temporary: true,
          onProgress: (progress) => {
            sent[at] = progress.sent;
            setSending({ phase: 'uploading', share: sent.reduce((sum, each) => sum + each, 0) / total });
          },
        }),
      ),
    );
    const expiries = stored.flatMap(({ expires_at }) => (expires_at ? [Date.parse(expires_at)] : []));
    const until = Math.min(...expiries) - EARLY_MS;
    return (uploaded.current = { plan, image: stored[1]?.url ?? url, mask_image: stored[0]!.url, until });
  };

  /** @returns the id of the generation; null if none was started */
  const ask = async (
    request: { readonly plan: MaskPlan; readonly masks: StoredMasks; readonly prompt: string },
    model: Parameters<typeof requestOn>[1],
  ): Promise<number | null> => {
    const { plan, masks, prompt } = request;
    setError(null);
    try {
      const { image, mask_image } = await upload(plan, masks);
      setSending({ phase: 'starting' });
      return await generate({
        ...requestOn({ url: image, pid, output }, model),
        mask_image,
        ...(prompt && { prompt }),
      });
    } catch (failure) {
      setError(failure);
      return null;
    } finally {
      setSending(null);
    }
  };
  return { sending, error, ask };
}

interface RequestOptions {
  readonly edited: Origin;
  readonly models: readonly ModelDto[];
  readonly plan: MaskPlan;
  readonly masks: StoredMasks;
  readonly edit: Pick<EditState, 'prompt' | 'model'>;
}

/** The request of the form: the models that can do its task, and the chosen one. */
export function useRequest({ edited, models, plan, masks, edit }: RequestOptions) {
  const { sending, error, ask } = useAsk(edited);
  const task = plan.picture ? 'outpaint' : 'inpaint';
  const fitting = useMemo(() => editModels(models, task), [models, task]);
  const chosen = fitting.find(({ model }) => model.id === edit.model) ?? fitting[0];
  /** @returns the id of the generation; null if none was started */
  const send = async () => (chosen ? ask({ plan, masks, prompt: edit.prompt.trim() }, chosen.model) : null);
  return { task, models: fitting, chosen, sending, error, send } as const;
}

/** A generation, followed until it has ended. */
export function useFollowed(id: number | null): GenerationResponse | undefined {
  const { data } = useQuery({
    ...generationsGetOptions({ path: { id: id ?? 0 } }),
    enabled: id !== null,
    refetchInterval: (query) => query.state.data !== undefined && isOpen(query.state.data) && 5000,
  });
  useLiveGenerations(data ? [data] : NONE);
  return id === null ? undefined : data;
}

const NONE: readonly GenerationResponse[] = [];
