import { Button, Group, Paper, Progress, Skeleton, Text } from '@mantine/core';
import { CopyPlus, RotateCcw, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { type GenerationResponse, isOpen } from '../../api/index.ts';
import { Credits, FailureNotice, Outputs, percent, StateBadge, When } from '../../ui/index.ts';
import { words } from '../../words.ts';
import classes from './GenerationCard.module.css';

interface GenerationCardProps {
  readonly generation: GenerationResponse;
  /** The name of its model. */
  readonly title: string;
  readonly onCancel: () => void;
  readonly onReuse: () => void;
  /** Absent where the model takes no seed. */
  readonly onVary?: () => void;
}

const said = words.generate.card;

/** A generation: its progress, its outputs, or the reason of its failure. */
export function GenerationCard({ generation, title, onCancel, onReuse, onVary }: GenerationCardProps) {
  const { state, prompt, cost, created_at } = generation;
  return (
    <Paper component="article" radius="lg" shadow="xs" className={classes.card} aria-label={said.label(title, prompt)}>
      <Stage generation={generation} />
      <div className={classes.text}>
        {prompt && (
          <Text size="sm" lineClamp={2} dir="auto" title={prompt}>
            {prompt}
          </Text>
        )}
        <Group justify="space-between" gap="xs" mt={prompt ? 8 : 0}>
          <Group gap={8} className={classes.facts}>
            {state !== 'succeeded' && <StateBadge state={state} />}
            <Text size="xs" c="dimmed" truncate>
              {title} · <Credits amount={state === 'failed' || state === 'canceled' ? 0 : cost} /> ·{' '}
              <When at={created_at} />
            </Text>
          </Group>
          <Group gap={6}>
            {isOpen(generation) ? (
              <Action icon={<X size={15} aria-hidden />} onClick={onCancel}>
                {words.ui.cancel}
              </Action>
            ) : (
              <Action icon={<RotateCcw size={15} aria-hidden />} onClick={onReuse}>
                {said.reuse}
              </Action>
            )}
            {onVary && state === 'succeeded' && (
              <Action icon={<CopyPlus size={15} aria-hidden />} onClick={onVary}>
                {said.vary}
              </Action>
            )}
          </Group>
        </Group>
      </div>
    </Paper>
  );
}

interface ActionProps {
  readonly icon: ReactNode;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

function Action({ icon, onClick, children }: ActionProps) {
  return (
    <Button size="compact-sm" variant="default" leftSection={icon} onClick={onClick}>
      {children}
    </Button>
  );
}

function Stage({ generation }: { readonly generation: GenerationResponse }) {
  if (isOpen(generation)) return <Running generation={generation} />;
  if (generation.state === 'failed') return <FailureNotice generation={generation} />;
  if (generation.state === 'canceled') return null;
  if (generation.outputs.length === 0) {
    return (
      <Text size="sm" c="dimmed" className={classes.text}>
        {said.deleted}
      </Text>
    );
  }
  return <Outputs generation={generation} />;
}

function Running({ generation }: { readonly generation: GenerationResponse }) {
  const { state, progress } = generation;
  const status = state === 'queued' ? said.waiting : said.running(percent(progress));
  return (
    <div className={classes.running}>
      <Skeleton className={classes.shimmer} radius={0} />
      <div className={classes.progress}>
        <Text size="sm" fw={500} aria-live="polite">
          {status}
        </Text>
        <Progress
          mt={8}
          value={state === 'queued' ? 100 : progress * 100}
          animated={state === 'queued'}
          color={state === 'queued' ? 'gray' : undefined}
          aria-label={said.progress}
        />
      </div>
    </div>
  );
}

/** Shown until the service has accepted a generation. */
export function SendingCard({ title, prompt }: { readonly title: string; readonly prompt: string }) {
  return (
    <Paper component="article" radius="lg" shadow="xs" className={classes.card} aria-label={said.label(title, prompt)}>
      <div className={classes.running}>
        <Skeleton className={classes.shimmer} radius={0} />
        <div className={classes.progress}>
          <Text size="sm" fw={500} role="status">
            {said.sending}
          </Text>
        </div>
      </div>
      <div className={classes.text}>
        <Text size="sm" lineClamp={2} dir="auto">
          {prompt}
        </Text>
        <Text size="xs" c="dimmed" mt={8}>
          {title}
        </Text>
      </div>
    </Paper>
  );
}
