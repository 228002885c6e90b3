import { useMemo } from 'react';
import type { ModelDto } from '../../api/index.ts';
import { type Draft, requestOf, VARIABLE } from '../../model-form/draft.ts';
import {
  fieldLabels,
  modelFormWords,
  problemsOf,
  problemsOfStart,
  type Refusal,
  shownProblems,
  variablesOf,
} from '../../model-form/index.ts';
import { COUNT } from './CountField.tsx';
import { useDryRun } from './use-dry-run.ts';
import { words } from './words.ts';

/** The fields that are shown without the others, with their labels. */
const COMMON = {
  model: words.modelLabel,
  pid: words.persona.label,
  style_id: words.style.field,
  prompt: modelFormWords.prompt,
};

export type Problems = ReturnType<typeof useProblems>;

/** The check of the draft by the service, and its problems with those of the last start. */
export function useProblems(draft: Draft, model: ModelDto, refused: Refusal | null, onGenerate: () => void) {
  const labels = useMemo(() => ({ ...fieldLabels(model), ...COMMON, ...variableLabels(draft) }), [model, draft]);
  const check = useDryRun(draft, model);
  const request = requestOf(draft, model);
  const checked = problemsOf(check.error, check.asked, request, labels);
  const last = problemsOfStart(refused, request, labels);
  const fields = { ...shownProblems(checked, draft, refused !== null), ...last.fields };
  return {
    check,
    fields,
    /** The problem of no field; null for none. */
    problem: last.other ?? checked.other,
    /** Repeats the part that failed: the check, or the start of the generation. */
    retry: () => {
      if (check.error) void check.refetch();
      if (last.other) onGenerate();
    },
    /** True if a field has a problem that is shown only with all fields. */
    isOtherWrong: Object.keys(fields).some((name) => !(name in COMMON) && name !== COUNT),
  };
}

function variableLabels({ prompt, variables }: Draft): Readonly<Record<string, string>> {
  const names = variables === null ? [] : variablesOf(prompt);
  return Object.fromEntries(names.map((name) => [VARIABLE + name, name]));
}
