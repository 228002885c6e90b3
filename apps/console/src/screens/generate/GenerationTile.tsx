import { Progress, Skeleton, Text, UnstyledButton } from '@mantine/core';
import { X } from 'lucide-react';
import type { GenerationResponse } from '../../api/index.ts';
import { capitalized } from '../../text.ts';
import { IconButton, percent, uiWords } from '../../ui/index.ts';
import classes from './GenerationTile.module.css';
import { words } from './words.ts';

const texts = words.tile;

interface PendingTileProps {
  readonly prompt: string | null;
  /** Null until the service has accepted it. */
  readonly generation: Pick<GenerationResponse, 'state' | 'progress'> | null;
  readonly onOpen?: () => void;
  readonly onCancel?: () => void;
}

/** A generation under way, with its progress. */
export function PendingTile({ prompt, generation, onOpen, onCancel }: PendingTileProps) {
  const isRunning = generation !== null && generation.state !== 'queued';
  const status =
    generation === null
      ? texts.sending
      : isRunning
        ? uiWords.generation.running(percent(generation.progress))
        : texts.waiting;
  return (
    <div className={classes.tile}>
      <Skeleton className={classes.shimmer} radius={0} />
      {onCancel && (
        <IconButton
          icon={X}
          iconSize={17}
          label={uiWords.cancel}
          tooltip
          variant="default"
          className={classes.cancel}
          onClick={onCancel}
        />
      )}
      <div className={classes.foot}>
        <Prompt prompt={prompt} onOpen={onOpen} />
        <Text size="sm" fw={600} aria-live="polite">
          {status}
        </Text>
        {generation && (
          <Progress
            mt={6}
            value={isRunning ? generation.progress * 100 : 100}
            animated={!isRunning}
            color={isRunning ? undefined : 'gray'}
            aria-label={texts.progress}
          />
        )}
      </div>
    </div>
  );
}

/** Why a generation failed, as a sentence. */
export function reasonOf({ error }: Pick<GenerationResponse, 'error'>): string {
  return capitalized(error?.message ?? uiWords.generation.unknownFailure);
}

/** The prompt, which opens the generation. */
export function Prompt({ prompt, onOpen }: Pick<PendingTileProps, 'prompt' | 'onOpen'>) {
  const text = prompt || texts.withoutPrompt;
  if (!onOpen) return <span className={classes.prompt} dir="auto" children={text} />;
  return (
    <UnstyledButton className={classes.prompt} dir="auto" title={text} onClick={onOpen}>
      {text}
    </UnstyledButton>
  );
}
