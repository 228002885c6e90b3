import {
  Anchor,
  CloseButton,
  Drawer,
  Group,
  Input,
  NumberInput,
  SegmentedControl,
  Stack,
  TagsInput,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ChangeEvent, type KeyboardEvent, type SyntheticEvent, useEffect, useMemo, useRef } from 'react';
import { type ModelDto, modelsListOptions } from '../api/index.ts';
import { costText, ModelEnd, ModelMark } from '../model-form/index.ts';
import { ActionButton, MediaThumb, QueryState, storedPicture, useIsPhone } from '../ui/index.ts';
import { type BatchDraft, type DraftProps, nameOf, picturesOf, splitTexts, withoutParameter } from './batch-draft.ts';
import { BatchBar } from './BatchBar.tsx';
import classes from './BatchPanel.module.css';
import { PersonaTicks } from './PersonaTicks.tsx';
import { SettingRows } from './SettingRows.tsx';
import { StyleTicks } from './StyleTicks.tsx';
import { TickCards } from './TickCards.tsx';
import { type BatchSource, useBatchDraft } from './use-batch-draft.ts';
import { type CheckedBatch, useCheckedBatch } from './use-checked-batch.ts';
import { SPLIT, VariableRows } from './VariableRows.tsx';
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
      styles={{ body: { paddingBottom: 0 } }}
    >
      {offered && <Form source={source} models={offered} onClose={onClose} />}
      {!offered && <QueryState query={models} rows={4} height={80} />}
    </Drawer>
  );
}

interface FormProps extends BatchPanelProps {
  readonly models: readonly ModelDto[];
}

function Form({ source, models, onClose }: FormProps) {
  const { draft, change, startOver, drop } = useBatchDraft(source, models);
  const batch = useCheckedBatch(draft, () => {
    drop();
    onClose();
  });
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (batch.refused) form.current?.querySelector(PROBLEM)?.scrollIntoView({ block: 'center' });
  }, [batch.refused]);
  /** Enter in a field runs nothing, nor the form that the button stands in. */
  const ignore = (event: SyntheticEvent) => {
    event.preventDefault();
    event.stopPropagation();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.repeat) batch.start();
  };
  const typed = (name: 'prompts' | 'name') => ({
    dir: 'auto',
    value: draft[name],
    onChange: ({ target }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => change({ [name]: target.value }),
  });
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
          <ActionButton label={words.startOver} size="compact-xs" variant="subtle" onClick={startOver} />
        </Group>
        <Textarea
          {...typed('prompts')}
          autosize
          minRows={3}
          maxRows={12}
          data-autofocus
          label={words.prompts}
          description={words.promptsHint}
          placeholder={words.promptsExample}
          error={batch.fields.prompts}
        />
        <Axes draft={draft} models={models} fields={batch.fields} onChange={change} />
        <TextInput {...typed('name')} label={words.name} maxLength={100} placeholder={nameOf({ ...draft, name: '' })} />
      </Stack>
      <BatchBar batch={batch} />
    </form>
  );
}

interface AxesProps extends Pick<FormProps, 'models'>, DraftProps {
  readonly fields: CheckedBatch['fields'];
}

/** The values that each prompt is combined with, and the settings of all cells. */
function Axes({ draft, models, fields, onChange }: AxesProps) {
  const chosen = models.filter(({ id }) => draft.models.includes(id));
  return (
    <>
      <VariableRows draft={draft} problem={fields.variables} onChange={onChange} />
      <ModelTicks
        models={models}
        value={draft.models}
        error={fields.models}
        onChange={(ticked) => onChange({ models: ticked })}
      />
      <PersonaTicks value={draft.personas} error={fields.personas} onChange={(personas) => onChange({ personas })} />
      <StyleTicks draft={draft} models={chosen} error={fields.styles} onChange={(styles) => onChange({ styles })} />
      <SeedsField draft={draft} error={fields.seeds} onChange={onChange} />
      <Pictures draft={draft} onChange={onChange} />
      <SettingRows draft={draft} models={chosen} problems={fields} onChange={onChange} />
    </>
  );
}

/** The pictures that all calls have, taken over from the form of a single generation. */
function Pictures({ draft, onChange }: DraftProps) {
  const pictures = picturesOf(draft);
  if (pictures.length === 0) return null;
  return (
    <Input.Wrapper label={words.pictures} labelElement="div">
      <Group gap={10} align="stretch">
        {pictures.map(([name, url]) => (
          <span key={name} className={classes.input}>
            <span className={classes.picture}>
              <MediaThumb media={storedPicture(url)} alt={labelOf(name)} width={72} />
            </span>
            <CloseButton
              size="sm"
              variant="default"
              radius="xl"
              className={classes.remove}
              aria-label={words.removePicture(labelOf(name))}
              onClick={() => onChange(withoutParameter(draft, name))}
            />
          </span>
        ))}
      </Group>
    </Input.Wrapper>
  );
}

function labelOf(name: string): string {
  const names: Readonly<Record<string, string>> = words.pictureNames;
  return names[name] ?? words.reference(name.split('_').at(-1)!);
}

interface SeedsFieldProps extends DraftProps {
  readonly error: string | undefined;
}

/** How many seeds each combination gets, or which. */
function SeedsField({ draft, error, onChange }: SeedsFieldProps) {
  const { seedsBy, seedsCount, seeds } = draft;
  return (
    <Stack gap={6} role="group" aria-label={words.seeds}>
      <Input.Label component="div">{words.seeds}</Input.Label>
      <SegmentedControl
        aria-label={words.seeds}
        style={{ alignSelf: 'flex-start' }}
        value={seedsBy}
        data={[
          { value: 'count', label: words.seedsBy.count },
          { value: 'list', label: words.seedsBy.list },
        ]}
        onChange={(by) => onChange({ seedsBy: by as BatchDraft['seedsBy'] })}
      />
      {seedsBy === 'count' ? (
        <NumberInput
          aria-label={words.seedsCount}
          description={words.seedsCountHint}
          inputWrapperOrder={['input', 'description', 'error']}
          allowDecimal={false}
          // The service reports numbers outside the limits; the page does not change them.
          clampBehavior="none"
          error={error}
          min={1}
          value={seedsCount ?? ''}
          onChange={(value) => onChange({ seedsCount: typeof value === 'number' ? value : null })}
        />
      ) : (
        <TagsInput
          aria-label={words.seedsList}
          splitChars={SPLIT}
          placeholder={seeds.length === 0 ? words.addValue : undefined}
          error={error}
          value={[...seeds]}
          onChange={(next) => onChange({ seeds: splitTexts(next) })}
        />
      )}
    </Stack>
  );
}

interface ModelTicksProps {
  readonly models: readonly ModelDto[];
  readonly value: readonly string[];
  readonly error: string | undefined;
  readonly onChange: (value: readonly string[]) => void;
}

/** The models that each prompt is given to. */
function ModelTicks({ models, ...field }: ModelTicksProps) {
  const ticks = useMemo(
    () =>
      models.map((model) => ({
        id: model.id,
        name: model.title,
        note: costText(model),
        picture: <ModelMark model={model} />,
      })),
    [models],
  );
  return (
    <div>
      <TickCards label={words.models} search={words.searchModels} ticks={ticks} {...field} />
      {field.value.map((model) => (
        <ModelEnd key={model} model={model} models={models} />
      ))}
    </div>
  );
}
