import { Button, Group, Paper, Stack, Text, Textarea, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { ChevronsUpDown } from 'lucide-react';
import { type KeyboardEvent, type SyntheticEvent, useEffect, useMemo, useRef } from 'react';
import type { ModelDto } from '../../api/index.ts';
import { words } from '../../words.ts';
import classes from './Composer.module.css';
import { type Draft, EMPTY_DRAFT, isEmpty, requestOf } from './draft.ts';
import { GenerateBar } from './GenerateBar.tsx';
import { inputLabels, Inputs } from './Inputs.tsx';
import { costText } from './model-cost.ts';
import { ModelChooser, ModelMark } from './ModelChooser.tsx';
import { parameterFields } from './parameter-fields.ts';
import { ParameterForm } from './ParameterForm.tsx';
import { PersonaField } from './PersonaField.tsx';
import { problemsOf, problemsOfStart, type Refusal, shownProblems } from './problems.ts';
import { useDryRun } from './use-dry-run.ts';

interface ComposerProps {
  readonly draft: Draft;
  readonly models: readonly ModelDto[];
  readonly model: ModelDto;
  /** The last start, if it was refused. */
  readonly refused: Refusal | null;
  /** Whether a start is in flight. */
  readonly isSending: boolean;
  readonly onChange: (part: Partial<Draft>) => void;
  readonly onGenerate: () => void;
  readonly onStartOver: () => void;
}

/** Selects the fields and notices that show errors. */
const PROBLEM = '[aria-invalid=true], [role=alert]';
const COMMON = { model: words.generate.modelLabel, pid: words.generate.persona.label, prompt: words.generate.prompt };

/** The form: model, prompt, persona, pictures and parameters. The service checks it while people fill it in. */
export function Composer({
  draft,
  models,
  model,
  refused,
  isSending,
  onChange,
  onGenerate,
  onStartOver,
}: ComposerProps) {
  const parameters = useMemo(() => parameterFields(model.parameters), [model]);
  const labels = useMemo(
    () => ({
      ...Object.fromEntries(parameters.map(({ name, label }) => [name, label])),
      ...inputLabels(model),
      ...COMMON,
    }),
    [model, parameters],
  );
  const check = useDryRun(draft, model);
  const request = requestOf(draft, model);
  const checked = problemsOf(check.error, check.asked, request, labels);
  const last = problemsOfStart(refused, request, labels);
  const fields = { ...shownProblems(checked, draft, refused !== null), ...last.fields };

  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (refused) form.current?.querySelector(PROBLEM)?.scrollIntoView({ block: 'center' });
  }, [refused]);
  const prompt = useRef<HTMLTextAreaElement>(null);
  const startOver = () => {
    onStartOver();
    prompt.current?.focus();
  };
  /** Repeats the part that failed: the check, or the start of the generation. */
  const retry = () => {
    if (check.error) void check.refetch();
    if (last.other) onGenerate();
  };
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    onGenerate();
  };
  const submitByKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.repeat) submit(event);
  };
  return (
    <Paper
      component="form"
      ref={form}
      radius="lg"
      shadow="sm"
      className={classes.composer}
      aria-label={words.generate.title}
      onSubmit={submit}
      onKeyDown={submitByKey}
    >
      <Stack gap="md">
        <ModelField models={models} model={model} onChange={(id) => onChange({ model: id })} />
        <div className={classes.prompt}>
          <Textarea
            ref={prompt}
            autosize
            minRows={3}
            maxRows={12}
            dir="auto"
            maxLength={10_000}
            label={words.generate.prompt}
            placeholder={words.generate.promptHint}
            error={fields.prompt}
            value={draft.prompt}
            onChange={(event) => onChange({ prompt: event.target.value })}
          />
          {!isEmpty(draft) && (
            <Button className={classes.startOver} size="compact-xs" variant="subtle" onClick={startOver}>
              {words.generate.startOver}
            </Button>
          )}
        </div>
        <PersonaField
          pid={draft.pid}
          inputs={check.inputs}
          error={fields.pid}
          onChange={(pid) => onChange({ pid, style: draft.style === 'none' ? null : draft.style })}
        />
        <Inputs draft={draft} model={model} resolved={check.inputsOfPersona} problems={fields} onChange={onChange} />
        {parameters.length > 0 && (
          <Settings
            isChanged={Object.keys(draft.parameters).length > 0}
            onReset={() => onChange({ parameters: EMPTY_DRAFT.parameters })}
          >
            <ParameterForm
              fields={parameters}
              values={draft.parameters}
              problems={fields}
              onChange={(name, value) => onChange({ parameters: { ...draft.parameters, [name]: value } })}
            />
          </Settings>
        )}
      </Stack>
      <GenerateBar
        cost={check.cost}
        isChecking={check.isFetching}
        isSending={isSending}
        problem={last.other ?? checked.other}
        isOffline={check.fetchStatus === 'paused'}
        onRetry={retry}
      />
    </Paper>
  );
}

interface ModelFieldProps {
  readonly models: readonly ModelDto[];
  readonly model: ModelDto;
  readonly onChange: (id: string) => void;
}

function ModelField({ models, model, onChange }: ModelFieldProps) {
  const [isOpen, chooser] = useDisclosure(false);
  const choose = (id: string) => {
    onChange(id);
    chooser.close();
  };
  return (
    <>
      <UnstyledButton className={classes.model} aria-haspopup="dialog" onClick={chooser.open}>
        <ModelMark model={model} />
        <span className={classes.modelText}>
          <VisuallyHidden>{words.generate.model}</VisuallyHidden>
          <Text span fw={600} display="block" truncate>
            {model.title}
          </Text>
          <Text span size="xs" c="dimmed" display="block" truncate>
            {model.provider} · {costText(model)}
          </Text>
        </span>
        <ChevronsUpDown size={18} aria-hidden />
      </UnstyledButton>
      <ModelChooser opened={isOpen} onClose={chooser.close} models={models} chosen={model.id} onChoose={choose} />
    </>
  );
}

interface SettingsProps {
  readonly isChanged: boolean;
  readonly onReset: () => void;
  readonly children: React.ReactNode;
}

function Settings({ isChanged, onReset, children }: SettingsProps) {
  return (
    <div role="group" aria-label={words.generate.settings}>
      <Group justify="space-between" mb={6} mih={26}>
        <Text fw={600} size="sm">
          {words.generate.settings}
        </Text>
        {isChanged && (
          <Button size="compact-xs" variant="subtle" onClick={onReset}>
            {words.generate.reset}
          </Button>
        )}
      </Group>
      {children}
    </div>
  );
}
