import { Checkbox, Text, UnstyledButton } from '@mantine/core';
import { CircleX, Clock, TriangleAlert } from 'lucide-react';
import { memo } from 'react';
import { type GenerationResponse, isOpen } from '../../api/index.ts';
import { Credits, MediaThumb, percent, StateBadge, useTouchAndHold, When } from '../../ui/index.ts';
import { words } from '../../words.ts';
import classes from './HistoryRow.module.css';

interface HistoryRowProps {
  readonly generation: GenerationResponse;
  readonly model: string;
  readonly persona: string;
  /** Null in a workspace with one member. */
  readonly member: string | null;
  readonly isChosen: boolean;
  readonly onChoose: (id: number) => void;
  readonly onOpen: (id: number) => void;
}

const said = words.history.row;

/** A generation of the list. A press opens it; its checkbox chooses it for a comparison. */
export const HistoryRow = memo(function HistoryRow({
  generation,
  isChosen,
  onChoose,
  onOpen,
  ...names
}: HistoryRowProps) {
  const { id, prompt, cost, state, progress, created_at, error } = generation;
  const isCharged = state === 'succeeded' || isOpen(generation);
  const hold = useTouchAndHold(() => onChoose(id));
  return (
    <div className={classes.row} data-chosen={isChosen || undefined} {...hold}>
      <Checkbox
        aria-label={said.choose(id)}
        checked={isChosen}
        onChange={() => onChoose(id)}
        className={classes.choose}
      />
      <UnstyledButton className={classes.open} onClick={() => onOpen(id)}>
        <span className={classes.thumb}>
          <Thumb generation={generation} />
        </span>
        <span className={classes.text}>
          <Text span fw={560} lineClamp={1} dir="auto">
            {prompt || said.withoutPrompt}
          </Text>
          <Text span size="sm" c="dimmed" lineClamp={1}>
            {error ? error.message : [names.model, names.persona, names.member].filter(Boolean).join(' · ')}
          </Text>
        </span>
        <span className={classes.facts}>
          {state === 'running' ? (
            <Text span size="sm" fw={600}>
              {percent(progress)}
            </Text>
          ) : (
            state !== 'succeeded' && <StateBadge state={state} />
          )}
          <Text span size="sm" c="dimmed">
            <Credits amount={isCharged ? cost : 0} />
          </Text>
        </span>
        <Text span size="sm" c="dimmed" className={classes.when}>
          <When at={created_at} />
        </Text>
      </UnstyledButton>
    </div>
  );
});

function Thumb({ generation }: { readonly generation: GenerationResponse }) {
  const [output] = generation.outputs;
  if (output) return <MediaThumb media={output} alt="" width={56} />;
  const Mark = isOpen(generation) ? Clock : generation.state === 'failed' ? TriangleAlert : CircleX;
  return <Mark size={20} strokeWidth={1.7} aria-hidden />;
}
