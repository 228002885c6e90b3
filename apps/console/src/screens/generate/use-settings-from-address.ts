import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { generationsGetOptions, type ModelDto } from '../../api/index.ts';
import { fileName } from '../../text.ts';
import { outputOf } from '../../ui/index.ts';
import { type Draft, draftOf } from '../../model-form/draft.ts';
import { modelOf } from '../../model-form/index.ts';
import type { KeptDrafts } from './kept-drafts.ts';

type Search = Readonly<Record<string, unknown>>;

/**
 * Takes settings from the address into the draft. `from` is the id of a generation whose settings are used: the address has
 * no settings itself, because picture URLs may contain signatures and prompts may be long. `model`, `pid` and `image` (a
 * stored URL) are single settings, added to the former draft of that model and persona. `parent` is the output that `image`
 * is, such as `12-0`. They leave the address then, so that later changes survive a reload.
 *
 * @returns the query for the settings
 */
export function useSettingsFromAddress(
  models: readonly ModelDto[],
  setDraft: (change: (before: Draft) => Draft) => void,
  drafts: KeptDrafts,
) {
  const search: Search = useSearch({ strict: false });
  const { from = 0, model, pid, image, parent } = search;
  const navigate = useNavigate();
  const settings = useQuery({
    ...generationsGetOptions({ path: { id: Number(from) } }),
    enabled: Number(from) > 0,
    staleTime: Infinity,
  });
  const generation = settings.data?.id === Number(from) ? settings.data : undefined;
  useEffect(() => {
    const part: Partial<Draft> = {
      ...(typeof model === 'string' && { model }),
      ...(typeof pid === 'number' && { pid }),
      ...(typeof image === 'string' && { image: pictureAt(image, parent) }),
    };
    if (generation) setDraft(() => draftOf(generation, modelOf(generation.model, models)));
    else if (Object.keys(part).length > 0)
      setDraft((before) => ({ ...startOf(before, { ...before, ...part }, drafts), ...part }));
    else return;
    void navigate({ to: '.', search: withoutSettings as never, replace: true, resetScroll: false });
  }, [generation, model, pid, image, parent, models, drafts, setDraft, navigate]);
  return settings;
}

function withoutSettings({ from: _, model: __, pid: ___, image: ____, parent: _____, ...rest }: Search): Search {
  return rest;
}

function pictureAt(url: string, parent: unknown): Draft['image'] {
  return { url, content_type: 'image/*', name: fileName(url), output: outputOf(parent) };
}

/** The draft to start from: the former draft of another model or persona, if there is one. */
function startOf(before: Draft, wanted: Draft, drafts: KeptDrafts): Draft {
  if (wanted.model === before.model && wanted.pid === before.pid) return before;
  return drafts.of(wanted) ?? before;
}
