import { Anchor, Button, Drawer, Group, Stack, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type KeyboardEvent, type SyntheticEvent, useEffect, useMemo, useRef, useState } from 'react';
import { type ModelDto, modelsListOptions } from '../api/index.ts';
import { ErrorNotice, Loading, useIsPhone } from '../ui/index.ts';
import { bodyOf, nameOf, settingNames, variableNames } from './batch-draft.ts';
import { type BatchField, batchProblems, shownProblems } from './batch-problems.ts';
import { BatchBar } from './BatchBar.tsx';
import classes from './BatchPanel.module.css';
import { ModelTicks } from './ModelTicks.tsx';
import { PersonaTicks } from './PersonaTicks.tsx';
import { Pictures } from './Pictures.tsx';
import { SeedsField } from './SeedsField.tsx';
import { SettingRows } from './SettingRows.tsx';
import { StyleTicks } from './StyleTicks.tsx';
import { type BatchSource, useBatchDraft } from './use-batch-draft.ts';
import { usePrice } from './use-price.ts';
import { useRun } from './use-run.ts';
import { VariableRows } from './VariableRows.tsx';
import { words } from './words.ts';

interface BatchPanelProps {
  readonly source: BatchSource | null;
  readonly onClose: () => void;
}

/** Selects the fields and notices that show errors. */
const PROBLEM = '[aria-invalid=true], [role=alert]';

/** The form of a batch: on a phone over the whole screen, else beside it. */
export function BatchPanel({ source, onClose }: BatchPanelProps) {
  const isPhone = useIsPhone();
  const models = useQuery({ ...modelsListOptions(), staleTime: 300_000 });
  // Styles are trained on the pictures of a persona.
  const offered = useMemo(() => models.data?.models.filter(({ kind }) => kind !== 'style'), [models.data]);
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size={isPhone ? '100%' : 640}
      title={words.title}
      classNames={{ body: classes.body }}
    >
      {offered && <Form source={source} models={offered} onClose={onClose} />}
      {models.error && !offered && <ErrorNotice error={models.error} onRetry={() => void models.refetch()} />}
      {models.isPending && <Loading rows={4} height={80} />}
    </Drawer>
  );
}

interface FormProps extends BatchPanelProps {
  readonly models: readonly ModelDto[];
}

function Form({ source, models, onClose }: FormProps) {
  const { draft, change, startOver, drop } = useBatchDraft(source, models);
  const body = bodyOf(draft);
  const { price, error, isChecking, fetchStatus, refetch } = usePrice(body);
  const accepted = () => {
    drop();
    onClose();
  };
  const { run, isRunning, refused } = useRun(accepted);
  const [wasTried, setTried] = useState(false);
  const names = settingNames(draft);
  const isMissing = (field: BatchField) =>
    (field === 'models' && draft.models.length === 0) ||
    (field === 'variables' && variableNames(draft).some((name) => !draft.variables[name]?.length));
  const problems = shownProblems(batchProblems(error, names), isMissing, wasTried);
  const last = refused?.text === JSON.stringify(body) ? batchProblems(refused.error, names) : null;
  const fields = { ...problems.fields, ...last?.fields };
  const chosen = models.filter(({ id }) => draft.models.includes(id));

  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (refused) form.current?.querySelector(PROBLEM)?.scrollIntoView({ block: 'center' });
  }, [refused]);
  const start = () => {
    setTried(true);
    void run(body);
  };
  /** Enter in a field runs nothing, nor the form that the button stands in. */
  const ignore = (event: SyntheticEvent) => {
    event.preventDefault();
    event.stopPropagation();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.repeat) start();
  };
  return (
    <form
      ref={form}
      className={classes.form}
      aria-label={words.title}
      onSubmit={ignore}
      onKeyDown={onKeyDown}
      noValidate
    >
      <Stack gap="lg" className={classes.fields}>
        <Group justify="space-between">
          <Anchor component={Link} to="/batches" size="sm" underline="always" onClick={onClose}>
            {words.all}
          </Anchor>
          <Button size="compact-xs" variant="subtle" onClick={startOver}>
            {words.startOver}
          </Button>
        </Group>
        <Textarea
          autosize
          minRows={3}
          maxRows={12}
          dir="auto"
          data-autofocus
          label={words.prompts}
          description={words.promptsHint}
          placeholder={words.promptsExample}
          error={fields.prompts}
          value={draft.prompts}
          onChange={(event) => change({ prompts: event.target.value })}
        />
        <VariableRows draft={draft} problem={fields.variables} onChange={change} />
        <ModelTicks
          models={models}
          value={draft.models}
          error={fields.models}
          onChange={(ticked) => change({ models: ticked })}
        />
        <PersonaTicks value={draft.personas} error={fields.personas} onChange={(personas) => change({ personas })} />
        <StyleTicks draft={draft} models={chosen} error={fields.styles} onChange={(styles) => change({ styles })} />
        <SeedsField draft={draft} error={fields.seeds} onChange={change} />
        <Pictures draft={draft} onChange={change} />
        <SettingRows draft={draft} models={chosen} problems={fields} onChange={change} />
        <TextInput
          label={words.name}
          dir="auto"
          maxLength={100}
          placeholder={nameOf({ ...draft, name: '' })}
          value={draft.name}
          onChange={(event) => change({ name: event.target.value })}
        />
      </Stack>
      <BatchBar
        price={price}
        isChecking={isChecking}
        isRunning={isRunning}
        countProblem={problems.count ?? last?.count ?? null}
        problem={last?.other ?? problems.other}
        isOffline={fetchStatus === 'paused'}
        onRetry={() => void refetch()}
        onRun={start}
      />
    </form>
  );
}
