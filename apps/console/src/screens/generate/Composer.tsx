import { useMediaQuery } from '@mantine/hooks';
import { ChevronDown, SlidersHorizontal } from 'lucide-react';
import {
  type KeyboardEvent,
  type Ref,
  type RefObject,
  type SyntheticEvent,
  useEffect,
  useId,
  useImperativeHandle,
  useRef,
  useState,
} from 'react';
import { type ModelDto, type PresetDto, X12Error } from '../../api/index.ts';
import type { Draft } from '../../model-form/draft.ts';
import { ModelEnd, type Refusal } from '../../model-form/index.ts';
import { useFirstFocus } from '../../shell/index.ts';
import { ErrorNotice, IconButton, later } from '../../ui/index.ts';
import classes from './Composer.module.css';
import { COUNT, CountField } from './CountField.tsx';
import { GenerateButton } from './GenerateButton.tsx';
import { ModelField } from './ModelField.tsx';
import { PersonaField } from './PersonaField.tsx';
import { PicturesButton } from './PicturesButton.tsx';
import { PromptField } from './PromptHistory.tsx';
import { StyleField } from './StyleField.tsx';
import { type Problems, useProblems } from './use-problems.ts';
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
  /** True if a start is in flight. */
  readonly isSending: boolean;
  readonly onChange: (part: Partial<Draft>) => void;
  readonly onPreset: (preset: PresetDto) => void;
  readonly onGenerate: () => void;
  readonly onStartOver: () => void;
}

const MoreFields = later('isOpen', async () => (await import('./MoreFields.tsx')).MoreFields);

/** As in the style sheet: below it the composer is one line that opens to a sheet. */
const NARROW = '(max-width: 1100px)';
/** Selects the fields and notices that show errors. */
const PROBLEM = '[aria-invalid=true], [role=alert]';
/**
 * The next generation: the prompt on the whole width, the rest below it; the other fields open above. The service
 * checks it while people fill it in.
 */
export function Composer({ ref, refused, isSending, ...props }: ComposerProps) {
  const { draft, model, onChange, onGenerate } = props;
  const problems = useProblems(draft, model, refused, onGenerate);
  const { check, fields, problem } = problems;
  const { isNarrow, isOpen, setOpen } = useOpening(ref, refused, problems.isOtherWrong);
  const form = useRef<HTMLFormElement>(null);
  useScrollToProblem(form, refused);
  const prompt = useRef<HTMLTextAreaElement>(null);
  const firstFocus = useFirstFocus(prompt);
  const more = useId();

  const openWhereNarrow = () => isNarrow && setOpen(true);
  const close = () => {
    setOpen(false);
    form.current?.querySelector<HTMLElement>('[type=submit]')?.focus();
  };
  const startOver = () => {
    props.onStartOver();
    prompt.current?.focus();
  };
  const handlers = useFormHandlers(form, onGenerate, isOpen ? close : null);
  return (
    <div className={classes.foot} data-composer>
      <form
        ref={form}
        className={classes.composer}
        data-open={isOpen || undefined}
        aria-label={words.title}
        {...handlers}
      >
        <Notice problem={problem} onRetry={problems.retry} />
        <div className={classes.prompt} onFocus={openWhereNarrow} onClick={openWhereNarrow} onInput={openWhereNarrow}>
          <PromptField
            {...firstFocus}
            ref={prompt}
            hasList={!isNarrow || isOpen}
            rows={isNarrow ? (isOpen ? [3, 8] : [1, 1]) : [2, 6]}
            isLabelHidden
            value={draft.prompt}
            error={fields.prompt}
            onChange={(text) => onChange({ prompt: text })}
          />
        </div>
        <Chips {...props} problems={problems} onPictures={() => setOpen(true)} />
        <ModelEnd className={classes.end} model={draft.model ?? model.id} models={props.models} />
        <MoreFields {...props} id={more} isOpen={isOpen} problems={problems} onStartOver={startOver} />
        <div className={classes.actions}>
          <MoreToggle
            isOpen={isOpen}
            controls={more}
            isWrong={problems.isOtherWrong}
            onClick={() => (isOpen ? close() : setOpen(true))}
          />
          <GenerateButton check={check} isSending={isSending} isUnknown={isTransient(problem)} />
        </div>
      </form>
    </div>
  );
}

/** Reports whether all fields are shown. A refused start shows them where its problems would be hidden. */
function useOpening(ref: Ref<ComposerHandle>, refused: Refusal | null, isOtherWrong: boolean) {
  const isNarrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false });
  const [isOpen, setOpen] = useState(false);
  const [seen, setSeen] = useState(refused);
  if (refused !== seen) {
    setSeen(refused);
    if (refused && (isOtherWrong || isNarrow)) setOpen(true);
  }
  useImperativeHandle(ref, () => ({ open: () => setOpen(true), close: () => isNarrow && setOpen(false) }), [isNarrow]);
  return { isNarrow, isOpen, setOpen };
}

function useScrollToProblem(form: RefObject<HTMLFormElement | null>, refused: Refusal | null): void {
  useEffect(() => {
    if (refused) form.current?.querySelector(PROBLEM)?.scrollIntoView({ block: 'nearest' });
  }, [form, refused]);
}

/** Ctrl-Enter sends the form, Escape closes it, then leaves the prompt. Events of dialogs bubble to it, though they stand elsewhere in the page. */
function useFormHandlers(form: RefObject<HTMLFormElement | null>, onSend: () => void, onClose: (() => void) | null) {
  const isOfForm = ({ target }: SyntheticEvent) => form.current?.contains(target as Node) ?? false;
  const onSubmit = (event: SyntheticEvent) => {
    if (!isOfForm(event)) return;
    event.preventDefault();
    onSend();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isOfForm(event) || event.defaultPrevented) return;
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.repeat) onSubmit(event);
    if (event.key !== 'Escape') return;
    if (onClose) onClose();
    // The next letters are keys of the page.
    else if (event.target instanceof HTMLTextAreaElement) event.target.blur();
  };
  return { onSubmit, onKeyDown };
}

function Notice({ problem, onRetry }: { readonly problem: unknown; readonly onRetry: () => void }) {
  if (problem === null) return null;
  const how = isTransient(problem) ? { onRetry } : { title: words.bar.refused };
  return (
    <div className={classes.notice}>
      <ErrorNotice error={problem} {...how} />
    </div>
  );
}

interface FieldsProps extends Pick<ComposerProps, 'draft' | 'models' | 'model' | 'onChange'> {
  readonly problems: Problems;
}

/** The persona, the style, the model, the pictures and the number of outputs. */
function Chips({ draft, models, model, onChange, problems, onPictures }: FieldsProps & { onPictures: () => void }) {
  const { check, fields } = problems;
  return (
    <div className={classes.chips}>
      <PersonaField
        pid={draft.pid}
        error={fields.pid}
        onChange={(pid) => onChange({ pid, style: draft.style === 'none' ? null : draft.style, trainedStyle: null })}
      />
      {draft.pid !== null && (
        <StyleField
          key={draft.pid}
          draft={{ ...draft, pid: draft.pid }}
          model={model}
          error={fields.style_id}
          onChange={onChange}
        />
      )}
      <ModelField models={models} model={model} onChange={(id) => onChange({ model: id })} />
      <PicturesButton draft={draft} model={model} ofPersona={check.inputsOfPersona} onClick={onPictures} />
      <CountField draft={draft} model={model} error={fields[COUNT]} onChange={onChange} />
    </div>
  );
}

interface MoreToggleProps {
  readonly isOpen: boolean;
  /** The id of the fields. */
  readonly controls: string;
  readonly isWrong: boolean;
  readonly onClick: () => void;
}

function MoreToggle({ isOpen, controls, isWrong, onClick }: MoreToggleProps) {
  const label = isOpen ? words.less : words.more;
  return (
    <IconButton
      icon={isOpen ? ChevronDown : SlidersHorizontal}
      iconSize={18}
      label={label}
      tooltip
      className={classes.toggle}
      size={42}
      variant={isOpen ? 'light' : 'default'}
      color={isOpen ? 'sea' : undefined}
      aria-expanded={isOpen}
      aria-controls={controls}
      data-wrong={isWrong || undefined}
      onClick={onClick}
    />
  );
}

function isTransient(problem: unknown): boolean {
  return problem instanceof X12Error && problem.isTransient;
}
