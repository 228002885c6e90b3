import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { ChevronDown, Eraser, SlidersHorizontal } from 'lucide-react';
import {
  type KeyboardEvent,
  type Ref,
  type SyntheticEvent,
  useEffect,
  useId,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from 'react';
import { type ModelDto, type PresetDto, X12Error } from '../../api/index.ts';
import { type Draft, isEmpty, requestOf, VARIABLE } from '../../model-form/draft.ts';
import {
  fieldLabels,
  ModelFields,
  modelFormWords,
  problemsOf,
  problemsOfStart,
  PromptInput,
  type Refusal,
  shownProblems,
  VariableFields,
  variablesOf,
} from '../../model-form/index.ts';
import { useFirstFocus } from '../../shell/index.ts';
import { ErrorNotice } from '../../ui/index.ts';
import classes from './Composer.module.css';
import { COUNT, CountField } from './CountField.tsx';
import { GenerateButton } from './GenerateButton.tsx';
import { ModelField } from './ModelField.tsx';
import { PersonaField, PersonaSlots } from './PersonaField.tsx';
import { PicturesButton } from './PicturesButton.tsx';
import { PresetBar } from './PresetBar.tsx';
import { StyleField } from './StyleField.tsx';
import { useDryRun } from './use-dry-run.ts';
import { words } from './words.ts';

export interface ComposerHandle {
  /** Shows all fields. */
  open(): void;
  /** Uncovers the grid where the fields cover it. */
  close(): void;
}

interface ComposerProps {
  readonly ref: Ref<ComposerHandle>;
  readonly draft: Draft;
  readonly models: readonly ModelDto[];
  readonly model: ModelDto;
  /** The last start, if it was refused. */
  readonly refused: Refusal | null;
  /** Whether a start is in flight. */
  readonly isSending: boolean;
  readonly onChange: (part: Partial<Draft>) => void;
  readonly onPreset: (preset: PresetDto) => void;
  readonly onGenerate: () => void;
  readonly onStartOver: () => void;
}

/** As in the style sheet: below it the composer is one line that opens to a sheet. */
const NARROW = '(max-width: 1100px)';
/** Selects the fields and notices that show errors. */
const PROBLEM = '[aria-invalid=true], [role=alert]';
/** The fields that are shown without the others, with their labels. */
const COMMON = {
  model: words.modelLabel,
  pid: words.persona.label,
  style_id: words.style.field,
  prompt: modelFormWords.prompt,
};

/** What is made next: the prompt on the whole width, the rest below it; the other fields open above. The service checks it while people fill it in. */
export function Composer({ ref, draft, models, model, refused, isSending, ...on }: ComposerProps) {
  const { onChange, onGenerate } = on;
  const labels = useMemo(() => ({ ...fieldLabels(model), ...COMMON, ...variableLabels(draft) }), [model, draft]);
  const check = useDryRun(draft, model);
  const request = requestOf(draft, model);
  const checked = problemsOf(check.error, check.asked, request, labels);
  const last = problemsOfStart(refused, request, labels);
  const fields = { ...shownProblems(checked, draft, refused !== null), ...last.fields };
  const isOtherWrong = Object.keys(fields).some((name) => !(name in COMMON) && name !== COUNT);
  const problem = last.other ?? checked.other;

  const isNarrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false });
  const [isOpen, setOpen] = useState(false);
  const [seen, setSeen] = useState(refused);
  if (refused !== seen) {
    setSeen(refused);
    if (refused && (isOtherWrong || isNarrow)) setOpen(true);
  }
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (refused) form.current?.querySelector(PROBLEM)?.scrollIntoView({ block: 'nearest' });
  }, [refused]);
  useImperativeHandle(ref, () => ({ open: () => setOpen(true), close: () => isNarrow && setOpen(false) }), [isNarrow]);
  const prompt = useRef<HTMLTextAreaElement>(null);
  const firstFocus = useFirstFocus(prompt);
  const more = useId();

  const openWhereNarrow = () => isNarrow && setOpen(true);
  const close = () => {
    setOpen(false);
    form.current?.querySelector<HTMLElement>('[type=submit]')?.focus();
  };
  const startOver = () => {
    on.onStartOver();
    prompt.current?.focus();
  };
  /** Repeats the part that failed: the check, or the start of the generation. */
  const retry = () => {
    if (check.error) void check.refetch();
    if (last.other) onGenerate();
  };
  /** Events of dialogs bubble to here, though they stand elsewhere in the page. */
  const isOfForm = ({ target }: SyntheticEvent) => form.current?.contains(target as Node) ?? false;
  const submit = (event: SyntheticEvent) => {
    if (!isOfForm(event)) return;
    event.preventDefault();
    onGenerate();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isOfForm(event) || event.defaultPrevented) return;
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.repeat) submit(event);
    if (event.key === 'Escape' && isOpen) close();
  };
  return (
    <div className={classes.foot} data-composer>
      <form
        ref={form}
        className={classes.composer}
        data-open={isOpen || undefined}
        aria-label={words.title}
        onSubmit={submit}
        onKeyDown={onKeyDown}
      >
        {problem !== null && (
          <div className={classes.notice}>
            {isTransient(problem) ? (
              <ErrorNotice error={problem} onRetry={retry} />
            ) : (
              <ErrorNotice error={problem} title={words.bar.refused} />
            )}
          </div>
        )}
        <div className={classes.prompt} onFocus={openWhereNarrow} onClick={openWhereNarrow} onInput={openWhereNarrow}>
          <PromptInput
            {...firstFocus}
            ref={prompt}
            rows={isNarrow ? (isOpen ? [3, 8] : [1, 1]) : [1, 6]}
            isLabelHidden
            value={draft.prompt}
            error={fields.prompt}
            onChange={(text) => onChange({ prompt: text })}
          />
        </div>
        <div className={classes.chips}>
          <PersonaField
            pid={draft.pid}
            error={fields.pid}
            onChange={(pid) =>
              onChange({ pid, style: draft.style === 'none' ? null : draft.style, trainedStyle: null })
            }
          />
          {draft.pid !== null && model.inputs.style_weights !== 'none' && (
            <StyleField
              key={draft.pid}
              draft={{ ...draft, pid: draft.pid }}
              model={model}
              error={fields.style_id}
              onChange={onChange}
            />
          )}
          <ModelField models={models} model={model} onChange={(id) => onChange({ model: id })} />
          <PicturesButton draft={draft} model={model} ofPersona={check.inputsOfPersona} onClick={() => setOpen(true)} />
          <CountField draft={draft} model={model} error={fields[COUNT]} onChange={onChange} />
        </div>
        <div id={more} className={classes.more} role="group" aria-label={words.more}>
          <div className={classes.moreHead}>
            <PresetBar draft={draft} model={model} models={models} onChoose={on.onPreset} />
            {!isEmpty(draft) && (
              <Button
                size="compact-sm"
                variant="subtle"
                leftSection={<Eraser size={15} aria-hidden />}
                onClick={startOver}
              >
                {words.startOver}
              </Button>
            )}
          </div>
          <VariableFields draft={draft} problems={fields} onChange={onChange} />
          {draft.pid !== null && <PersonaSlots pid={draft.pid} inputs={check.inputs} />}
          <ModelFields
            draft={draft}
            model={model}
            without={COUNT}
            resolved={check.inputsOfPersona}
            problems={fields}
            onChange={onChange}
          />
        </div>
        <div className={classes.actions}>
          <Tooltip label={isOpen ? words.less : words.more}>
            <ActionIcon
              className={classes.toggle}
              size={42}
              variant={isOpen ? 'light' : 'default'}
              color={isOpen ? 'sea' : undefined}
              aria-label={isOpen ? words.less : words.more}
              aria-expanded={isOpen}
              aria-controls={more}
              data-wrong={isOtherWrong || undefined}
              onClick={() => (isOpen ? close() : setOpen(true))}
            >
              {isOpen ? <ChevronDown size={18} aria-hidden /> : <SlidersHorizontal size={18} aria-hidden />}
            </ActionIcon>
          </Tooltip>
          <GenerateButton
            cost={check.cost}
            isChecking={check.isFetching}
            isSending={isSending}
            isUnknown={isTransient(problem)}
            isOffline={check.fetchStatus === 'paused'}
          />
        </div>
      </form>
    </div>
  );
}

function isTransient(problem: unknown): boolean {
  return problem instanceof X12Error && problem.isTransient;
}

function variableLabels({ prompt, variables }: Draft): Readonly<Record<string, string>> {
  const names = variables === null ? [] : variablesOf(prompt);
  return Object.fromEntries(names.map((name) => [VARIABLE + name, name]));
}
