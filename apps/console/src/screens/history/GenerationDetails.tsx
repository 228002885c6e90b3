import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { RotateCcw } from 'lucide-react';
import { type GenerationResponse, generationsGetOptions, isOpen, useLiveGenerations } from '../../api/index.ts';
import {
  Credits,
  ErrorNotice,
  FailureNotice,
  Loading,
  MediaThumb,
  Outputs,
  percent,
  StateBadge,
  When,
} from '../../ui/index.ts';
import { words } from '../../words.ts';
import classes from './GenerationDetails.module.css';
import { elapsed, settingsOf } from './settings.ts';
import type { Names } from './use-history.ts';

interface GenerationDetailsProps {
  readonly id: number;
  /** The generation as the list has it. */
  readonly known: GenerationResponse | undefined;
  readonly names: Names;
}

const said = words.history.details;
const NONE: readonly GenerationResponse[] = [];

/** A generation: its outputs, settings, inputs, cost and times. */
export function GenerationDetails({ id, known, names }: GenerationDetailsProps) {
  const { data, error, refetch } = useQuery({
    ...generationsGetOptions({ path: { id } }),
    placeholderData: known && { ...known, status: true as const },
    refetchInterval: (query) => query.state.data !== undefined && isOpen(query.state.data) && 5000,
  });
  useLiveGenerations(data ? [data] : NONE);
  if (error && !data) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading rows={3} height={140} />;
  return (
    <Stack gap="lg">
      <Result generation={data} />
      <Group gap="xs">
        <Button
          component={Link}
          to="/generate"
          search={{ from: id } as never}
          leftSection={<RotateCcw size={16} aria-hidden />}
        >
          {said.reuse}
        </Button>
      </Group>
      <Facts
        title={said.settings}
        rows={settingsOf([data], namesWith(names)).map(({ name, values }) => [name, values[0]!])}
      />
      <Inputs generation={data} />
      <Course generation={data} />
    </Stack>
  );
}

/** The rows of model, persona and member. */
export function namesWith(names: Names) {
  const { model, persona, member } = words.history.settings;
  return (generation: GenerationResponse) => ({
    [model]: names.modelOf(generation),
    [persona]: names.personaOf(generation),
    [member]: names.memberOf(generation),
  });
}

function Result({ generation }: { readonly generation: GenerationResponse }) {
  const { state, progress, outputs } = generation;
  if (state === 'failed') return <FailureNotice generation={generation} />;
  if (state === 'canceled') return <Text c="dimmed">{said.canceled}</Text>;
  if (isOpen(generation)) {
    return (
      <div>
        <Text fw={560}>{state === 'queued' ? said.waiting : said.running(percent(progress))}</Text>
        <Progress mt={8} value={progress * 100} aria-label={said.progress} />
      </div>
    );
  }
  if (outputs.length === 0) return <Text c="dimmed">{said.deleted}</Text>;
  return (
    <div className={classes.outputs}>
      <Outputs generation={generation} />
    </div>
  );
}

interface FactsProps {
  readonly title: string;
  readonly rows: readonly (readonly [string, React.ReactNode])[];
}

function Facts({ title, rows }: FactsProps) {
  return (
    <section>
      <Text component="h3" fw={600} mb={8}>
        {title}
      </Text>
      <dl className={classes.facts}>
        {rows.map(([name, value]) => (
          <div key={name} className={classes.fact}>
            <dt>{name}</dt>
            <dd dir="auto">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Inputs({ generation }: { readonly generation: GenerationResponse }) {
  const { image, start_frame, style_reference, references, mask, control } = generation.inputs;
  const names = words.generate.input;
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
        {said.inputs}
      </Text>
      <ul className={classes.inputs}>
        {pictures.map(([name, url]) => (
          <li key={name}>
            <a href={url} target="_blank" rel="noreferrer" className={classes.input}>
              <MediaThumb media={{ url, content_type: 'image/*' }} alt="" width={88} />
            </a>
            <Text size="xs" c="dimmed" mt={4}>
              {name}
            </Text>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The cost and the times of a generation. */
function Course({ generation }: { readonly generation: GenerationResponse }) {
  const { id, state, cost, created_at, started_at, finished_at } = generation;
  const isFree = state === 'failed' || state === 'canceled';
  const rows: [string, React.ReactNode][] = [
    [said.state, <StateBadge key="state" state={state} />],
    [said.cost, isFree ? said.nothing(cost) : <Credits key="cost" amount={cost} />],
    [said.requested, <When key="when" at={created_at} />],
    ...(started_at ? [[said.waited, elapsed(created_at, started_at)] as [string, string]] : []),
    ...(started_at && finished_at ? [[said.took, elapsed(started_at, finished_at)] as [string, string]] : []),
    [said.number, String(id)],
  ];
  return <Facts title={said.course} rows={rows} />;
}
