import { Anchor, Group, Stack, Title } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { WandSparkles } from 'lucide-react';
import type { Ref } from 'react';
import type { GenerationResponse, ModelDto } from '../../api/index.ts';
import { EmptyState, ErrorNotice, Loading } from '../../ui/index.ts';
import { words } from '../../words.ts';
import { draftOf, variationOf } from './draft.ts';
import { GenerationCard, SendingCard } from './GenerationCard.tsx';
import classes from './Recent.module.css';
import type { Sending } from './use-generate.ts';

interface RecentProps {
  readonly ref: Ref<HTMLElement>;
  readonly list: Pick<UseQueryResult, 'error' | 'isPending' | 'refetch'>;
  /** The generations of the list, newest first. */
  readonly generations: readonly GenerationResponse[] | undefined;
  readonly sending: readonly Sending[];
  readonly models: readonly ModelDto[];
  readonly onCancel: (generation: GenerationResponse) => void;
  readonly onReuse: (generation: GenerationResponse, model: ModelDto | undefined) => void;
  readonly onVary: (generation: GenerationResponse, model: ModelDto) => void;
}

const said = words.generate.recent;

/** The user's latest generations, newest first. */
export function Recent({ ref, list, generations, sending, models, onCancel, onReuse, onVary }: RecentProps) {
  const titleOf = (id: string) => models.find((model) => model.id === id)?.title ?? id;
  return (
    <section ref={ref} aria-label={said.title} className={classes.recent}>
      <Group justify="space-between" mb="sm">
        <Title order={2}>{said.title}</Title>
        <Anchor component={Link} to="/history" size="sm">
          {said.all}
        </Anchor>
      </Group>
      <Stack gap="md">
        {sending.map(({ key, model, prompt }) => (
          <SendingCard key={`s${key}`} title={titleOf(model)} prompt={prompt} />
        ))}
        {list.error && !generations && <ErrorNotice error={list.error} onRetry={() => void list.refetch()} />}
        {list.isPending && <Loading rows={2} height={280} />}
        {generations?.length === 0 && sending.length === 0 && (
          <div className={classes.empty}>
            <EmptyState icon={WandSparkles} title={said.empty} hint={said.emptyHint} />
          </div>
        )}
        {generations?.map((generation) => {
          const model = models.find(({ id }) => id === generation.model);
          const canVary = model && variationOf(draftOf(generation, model), model) !== null;
          return (
            <GenerationCard
              key={generation.id}
              generation={generation}
              title={titleOf(generation.model)}
              onCancel={() => onCancel(generation)}
              onReuse={() => onReuse(generation, model)}
              onVary={canVary ? () => onVary(generation, model) : undefined}
            />
          );
        })}
      </Stack>
    </section>
  );
}
