import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { BookmarkPlus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { type GenerationResponse, modelsListOptions } from '../api/index.ts';
import { modelFormWords, type PresetSettings, SaveAsPreset, settingsOfGeneration } from '../model-form/index.ts';
import { type Names, namesWith } from '../shell/index.ts';
import { Credits, FactList, MediaThumb, settingsOf, StateBadge, storedPicture, When } from '../ui/index.ts';
import classes from './GenerationFacts.module.css';
import { elapsed } from './elapsed.ts';
import { words } from './words.ts';

const text = words.generation;

interface GenerationFactsProps {
  readonly generation: GenerationResponse;
  readonly names: Names;
}

/** The settings of a generation, which can be saved, the pictures it was made from, its cost and times. */
export function GenerationFacts({ generation, names }: GenerationFactsProps) {
  return (
    <>
      {generation.kind !== 'style' && <SavePreset generation={generation} />}
      <Facts title={text.settings} rows={settingRows(generation, names)} />
      <Inputs generation={generation} />
      {generation.metadata && <Facts title={text.metadata} rows={Object.entries(generation.metadata)} />}
      <Course generation={generation} />
    </>
  );
}

function settingRows(generation: GenerationResponse, names: Names): [string, string | null][] {
  const { model, requested_model: requested } = generation;
  const settings = settingsOf([generation], namesWith(names));
  return [
    ...settings.map(({ name, values }): [string, string] => [name, values[0]!]),
    [text.requestedModel, requested === model ? null : requested],
  ];
}

/** Saves the settings of a generation whose model is still offered. */
function SavePreset({ generation }: { readonly generation: GenerationResponse }) {
  const { data } = useQuery({ ...modelsListOptions(), staleTime: 300_000 });
  const [saving, setSaving] = useState<PresetSettings | null>(null);
  const model = data?.models.find(({ id }) => id === generation.model);
  if (!model) return null;
  return (
    <div>
      <Button
        variant="default"
        aria-haspopup="dialog"
        leftSection={<BookmarkPlus size={16} aria-hidden />}
        onClick={() => setSaving(settingsOfGeneration(generation, model))}
      >
        {modelFormWords.presets.save}
      </Button>
      <SaveAsPreset settings={saving} onClose={() => setSaving(null)} />
    </div>
  );
}

function Facts({ title, rows }: { readonly title: string; readonly rows: Parameters<typeof FactList>[0]['facts'] }) {
  return (
    <section>
      <Text component="h3" fw={600} mb={8}>
        {title}
      </Text>
      <FactList facts={rows} />
    </section>
  );
}

function Inputs({ generation }: { readonly generation: GenerationResponse }) {
  const { image, start_frame, style_reference, references, mask, control } = generation.inputs;
  const names = modelFormWords.input;
  const pictures = [
    [names.names.image, image],
    [names.names.start_frame, start_frame],
    [names.names.style, style_reference],
    ...references.map((url, at) => [names.reference(at + 1), url] as const),
    [names.names.mask, mask],
    [names.names.control, control],
  ].filter((each): each is [string, string] => Boolean(each[1]));
  if (pictures.length === 0) return null;
  return (
    <section>
      <Text component="h3" fw={600} mb={8}>
        {text.inputs}
      </Text>
      <ul className={classes.inputs}>
        {pictures.map(([name, url]) => (
          <li key={name}>
            <a href={url} target="_blank" rel="noreferrer" className={classes.input} aria-label={name}>
              <MediaThumb media={storedPicture(url)} alt="" width={88} />
            </a>
            <Text size="xs" c="dimmed" mt={4} aria-hidden>
              {name}
            </Text>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The cost and the times of a generation, and the customer that it is for. */
function Course({ generation }: { readonly generation: GenerationResponse }) {
  const { id, state, cost, customer, created_at, started_at, finished_at } = generation;
  const isFree = state === 'failed' || state === 'canceled';
  const rows: [string, ReactNode][] = [
    [text.state, <StateBadge key="state" state={state} />],
    [text.cost, isFree ? text.nothing(cost) : <Credits key="cost" amount={cost} />],
    [text.requested, <When key="when" at={created_at} />],
    ...(started_at ? [[text.waited, elapsed(created_at, started_at)] as [string, string]] : []),
    ...(started_at && finished_at ? [[text.took, elapsed(started_at, finished_at)] as [string, string]] : []),
    [text.number, String(id)],
    [text.customer, customer],
  ];
  return <Facts title={text.course} rows={rows} />;
}
