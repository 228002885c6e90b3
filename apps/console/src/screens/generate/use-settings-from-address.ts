import { useQuery } from '@tanstack/react-query';
import { useLocation, useSearch } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import { generationsGetOptions, type ModelDto } from '../../api/index.ts';
import { fileName } from '../../text.ts';
import { type Draft, draftOf } from './draft.ts';
import type { KeptDrafts } from './kept-drafts.ts';

/**
 * Fills the draft from the address. `from` is the id of a generation whose settings are used: the address has no settings
 * itself, because picture URLs may contain signatures and prompts may be long. `model`, `pid` and `image` (a stored URL) are
 * single settings, added to the former draft of that model and persona. Each entry of the browser's history fills the draft
 * once, so that later changes survive a reload.
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
      ...(typeof image === 'string' && { image: { url: image, content_type: 'image/*', name: fileName(image) } }),
    };
    if (Object.keys(part).length === 0 || drafts.isFilledBy(entry)) return;
    drafts.filledBy(entry);
    setDraft((before) => ({ ...startOf(before, { ...before, ...part }, drafts), ...part }));
  }, [model, pid, image, drafts, entry, setDraft]);
  return settings;
}

/** The draft to start from: the former draft of another model or persona, if there is one. */
function startOf(before: Draft, wanted: Draft, drafts: KeptDrafts): Draft {
  if (wanted.model === before.model && wanted.pid === before.pid) return before;
  return drafts.of(wanted) ?? before;
}
