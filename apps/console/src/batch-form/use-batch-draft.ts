import { useState } from 'react';
import type { ModelDto } from '../api/index.ts';
import type { Draft } from '../model-form/draft.ts';
import { useMe } from '../shell/index.ts';
import { type BatchDraft, batchOf, emptyBatch, withOffered } from './batch-draft.ts';
import { KeptBatch } from './kept-batch.ts';

/** Source of a batch: the form of a single generation. */
export interface BatchSource {
  readonly draft: Draft;
  readonly model: ModelDto;
}

let keptBatch: KeptBatch | undefined;

function keptOf(owner: string): KeptBatch {
  if (keptBatch?.owner !== owner) keptBatch = new KeptBatch(sessionStorage, owner);
  return keptBatch;
}

/**
 * The draft of a batch: the kept one, unless another form has been filled in since.
 *
 * @param models those that are offered
 */
export function useBatchDraft(source: BatchSource | null, models: readonly ModelDto[]) {
  const { user, workspace } = useMe();
  const kept = keptOf(`${user.id}/${workspace.id}`);
  const text = source && keyOf(source);
  const first = (): BatchDraft => (source ? batchOf(source.draft, source.model) : emptyBatch(models));
  const [draft, setDraft] = useState(() => {
    const last = kept.of(text);
    return last ? withOffered(last, models) : first();
  });
  const set = (next: BatchDraft) => {
    setDraft(next);
    kept.keep(text, next);
  };
  return {
    draft,
    set,
    change: (part: Partial<BatchDraft>) => set({ ...draft, ...part }),
    startOver: () => set(first()),
    /** The batch was accepted. */
    drop: () => kept.drop(),
  };
}

/** Without addresses, which may contain a signature. */
function keyOf({ draft, model }: BatchSource): string {
  const { prompt, variables, pid, trainedStyle, parameters } = draft;
  const pictures = [draft.image, draft.mask, draft.control, ...draft.references].map(
    (picture) => picture?.name ?? null,
  );
  const style = draft.style === 'none' ? draft.style : (draft.style?.name ?? null);
  return JSON.stringify([model.id, prompt, variables, pid, style, trainedStyle, pictures, parameters]);
}
