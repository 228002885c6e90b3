import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { generationsGetGenerationOptions, type ModelDto } from '../../api/index.ts';
import { notifyError } from '../../ui/index.ts';
import { words } from '../../words.ts';
import { type Draft, draftOf, EMPTY_DRAFT, nameOf } from './draft.ts';

/**
 * Fills the draft by the address: `from` names a generation whose settings are taken over, as addresses of pictures
 * among them may carry signatures and prompts may be long; `model`, `pid` and `image` (a stored URL) single settings.
 */
export function useSettingsFromAddress(
  models: readonly ModelDto[],
  setDraft: (change: (before: Draft) => Draft) => void,
): void {
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const from = Number(search.from ?? 0);
  const { data: generation, error } = useQuery({
    ...generationsGetGenerationOptions({ path: { id: from } }),
    enabled: from > 0,
    staleTime: Infinity,
  });
  useEffect(() => {
    if (!generation) return;
    const model = models.find(({ id }) => id === generation.model);
    setDraft(() => draftOf(generation, model));
  }, [generation, models, setDraft]);
  useEffect(() => {
    if (error) notifyError(error, words.generate.noSettings);
  }, [error]);

  const { model, pid, image } = search;
  useEffect(() => {
    const part: Partial<Draft> = {
      ...(typeof model === 'string' && { model }),
      ...(typeof pid === 'number' && { pid }),
      ...(typeof image === 'string' && { image: { url: image, content_type: 'image/*', name: nameOf(image) } }),
    };
    if (Object.keys(part).length > 0) setDraft((before) => ({ ...EMPTY_DRAFT, ...before, ...part }));
  }, [model, pid, image, setDraft]);
}
