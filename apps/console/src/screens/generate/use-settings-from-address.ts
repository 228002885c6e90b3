import { useQuery } from '@tanstack/react-query';
import { useLocation, useSearch } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import { generationsGetOptions, type ModelDto } from '../../api/index.ts';
import { type Draft, draftOf, nameOf } from './draft.ts';
import type { KeptDrafts } from './kept-drafts.ts';

/**
 * Fills the draft by the address: `from` names a generation whose settings are taken over, as addresses of pictures
 * among them may carry signatures and prompts may be long; `model`, `pid` and `image` (a stored URL) single settings,
 * with what was chosen before for that model and persona. Once for each entry of the browser's history: what people
 * change afterwards outlives a reload.
 *
 * @returns the query for the settings
 */
export function useSettingsFromAddress(
  models: readonly ModelDto[],
  drafts: KeptDrafts,
  setDraft: (change: (before: Draft) => Draft) => void,
) {
  const { from = 0, model, pid, image }: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const entry = useLocation({ select: ({ state }) => state.__TSR_key ?? '' });
  const wasFilled = useMemo(() => drafts.isFilledBy(entry), [drafts, entry]);
  const settings = useQuery({
    ...generationsGetOptions({ path: { id: Number(from) } }),
    enabled: Number(from) > 0 && !wasFilled,
    staleTime: Infinity,
  });
  const { data: generation } = settings;
  useEffect(() => {
    if (!generation || drafts.isFilledBy(entry)) return;
    drafts.filledBy(entry);
    setDraft(() =>
      draftOf(
        generation,
        models.find(({ id }) => id === generation.model),
      ),
    );
  }, [generation, models, drafts, entry, setDraft]);

  useEffect(() => {
    const part: Partial<Draft> = {
      ...(typeof model === 'string' && { model }),
      ...(typeof pid === 'number' && { pid }),
      ...(typeof image === 'string' && { image: { url: image, content_type: 'image/*', name: nameOf(image) } }),
    };
    if (Object.keys(part).length === 0 || drafts.isFilledBy(entry)) return;
    drafts.filledBy(entry);
    setDraft((before) => ({ ...startOf(before, { ...before, ...part }, drafts), ...part }));
  }, [model, pid, image, drafts, entry, setDraft]);
  return settings;
}

/** For another model or persona what was chosen with it before, if anything was. */
function startOf(before: Draft, wanted: Draft, drafts: KeptDrafts): Draft {
  if (wanted.model === before.model && wanted.pid === before.pid) return before;
  return drafts.of(wanted) ?? before;
}
