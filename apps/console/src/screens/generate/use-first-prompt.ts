import { useEffect } from 'react';
import type { GenerationsResponse, ModelDto } from '../../api/index.ts';
import { words } from '../../words.ts';
import { type Draft, EMPTY_DRAFT } from './draft.ts';

/**
 * Fills an untouched form with a prompt for the local model if the user has not generated anything, so that the first
 * picture needs no typing and costs the operator nothing.
 */
export function useFirstPrompt(
  models: readonly ModelDto[],
  own: GenerationsResponse | undefined,
  setDraft: (change: (before: Draft) => Draft) => void,
): void {
  const model = models.find(({ provider, kind, inputs }) => {
    return provider === 'local' && kind === 'image' && inputs.image !== 'required';
  });
  const isFirst = own?.generations.length === 0;
  useEffect(() => {
    if (!isFirst || !model) return;
    const first = { ...EMPTY_DRAFT, model: model.id, prompt: words.generate.firstPrompt };
    setDraft((before) => (before === EMPTY_DRAFT ? first : before));
  }, [isFirst, model, setDraft]);
}
