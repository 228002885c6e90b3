import { Button, Progress, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { RotateCcw } from 'lucide-react';
import { type GenerationResponse, generationsGetOptions, isOpen, useLiveGenerations } from '../api/index.ts';
import type { Names } from '../shell/index.ts';
import { ErrorNotice, FailureNotice, Lineage, Loading, NoOutputs, percent } from '../ui/index.ts';
import { GenerationFacts } from './GenerationFacts.tsx';
import { words } from './words.ts';

interface GenerationDetailsProps {
  readonly id: number;
  readonly names: Names;
}

const text = words.generation;
const NONE: readonly GenerationResponse[] = [];

/** A generation without items: its progress, or why there are none, its lineage and settings. */
export function GenerationDetails({ id, names }: GenerationDetailsProps) {
  const { data, error, refetch } = useQuery({
    ...generationsGetOptions({ path: { id } }),
    refetchInterval: (query) => query.state.data !== undefined && isOpen(query.state.data) && 5000,
  });
  useLiveGenerations(data ? [data] : NONE);
  if (error && !data) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading rows={3} height={140} />;
  return (
    <Stack gap="lg">
      <Result generation={data} />
      <Lineage generation={data} />
      {data.kind !== 'style' && (
        <div>
          <Button
            component={Link}
            to="/generate"
            search={{ from: id } as never}
            leftSection={<RotateCcw size={16} aria-hidden />}
          >
            {words.settings}
          </Button>
        </div>
      )}
      <GenerationFacts generation={data} names={names} />
    </Stack>
  );
}

function Result({ generation }: { readonly generation: GenerationResponse }) {
  const { state, progress } = generation;
  if (state === 'failed') return <FailureNotice generation={generation} />;
  if (state === 'canceled') return <Text c="dimmed">{text.canceled}</Text>;
  if (isOpen(generation)) {
    return (
      <div>
        <Text fw={560}>{state === 'queued' ? text.waiting : text.running(percent(progress))}</Text>
        <Progress mt={8} value={progress * 100} aria-label={text.progress} />
      </div>
    );
  }
  return <NoOutputs generation={generation} />;
}
