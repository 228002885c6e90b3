import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { generationsListOptions, type ModelDto } from '../../api/index.ts';
import { useMe } from '../../shell/index.ts';
import { type Draft, EMPTY_DRAFT } from '../../model-form/draft.ts';
import { words } from './words.ts';

/**
 * Fills an untouched composer with a prompt for the local model if the user has not generated anything, so that the first
 * picture needs no typing and costs the operator nothing.
 */
export function useFirstPrompt(
  models: readonly ModelDto[],
  setDraft: (change: (before: Draft) => Draft) => void,
): void {
  const { user } = useMe();
  const { data } = useQuery(generationsListOptions({ query: { limit: 1, user_id: user.id } }));
  const model = models.find(({ provider, kind, inputs }) => {
    return provider === 'local' && kind === 'image' && inputs.image !== 'required';
  });
  const isFirst = data?.generations.length === 0;
  useEffect(() => {
    if (!isFirst || !model) return;
    const first = { ...EMPTY_DRAFT, model: model.id, prompt: words.firstPrompt };
    setDraft((before) => (before === EMPTY_DRAFT ? first : before));
  }, [isFirst, model, setDraft]);
}
