import { ActionIcon, Progress } from '@mantine/core';
import { Moon, X } from 'lucide-react';
import type { GenerationResponse } from '../../api/index.ts';
import {
  Hint,
  Loading,
  notifyError,
  percent,
  Section,
  StateBadge,
  useCancel,
  useModelTitles,
  When,
} from '../../ui/index.ts';
import classes from './HomePage.module.css';
import { words } from './words.ts';

const SHOWN = 5;

interface RunningProps {
  readonly generations: readonly GenerationResponse[];
  readonly isPending: boolean;
}

export function Running({ generations, isPending }: RunningProps) {
  const more = generations.length - SHOWN;
  return (
    <Section title={words.running.title}>
      {isPending && <Loading rows={2} height={48} />}
      {!isPending && generations.length === 0 && (
        <div className={classes.quiet}>
          <Moon size={20} strokeWidth={1.75} aria-hidden />
          {words.running.none}
        </div>
      )}
      <ul className={classes.list}>
        {generations.slice(0, SHOWN).map((generation) => (
          <RunningRow key={generation.id} generation={generation} />
        ))}
      </ul>
      {more > 0 && <Hint mt="sm">{words.running.more(more)}</Hint>}
    </Section>
  );
}

function RunningRow({ generation }: { readonly generation: GenerationResponse }) {
  const { id, prompt, state, progress, created_at } = generation;
  const cancel = useCancel();
  const model = useModelTitles(false)(generation.model);
  const name = prompt ?? model;
  return (
    <li className={classes.row}>
      <div className={classes.what}>
        <div className={classes.prompt} dir="auto">
          {name}
        </div>
        <div className={classes.details}>
          <span dir="auto">{model}</span>
          <When at={created_at} />
        </div>
        {state === 'running' && <ProgressBar id={id} progress={progress} />}
      </div>
      {state === 'running' ? (
        <span className={classes.percent}>{percent(progress)}</span>
      ) : (
        <StateBadge state={state} />
      )}
      <ActionIcon aria-label={words.running.cancel(name)} onClick={() => void cancel(id).catch(notifyError)}>
        <X size={17} />
      </ActionIcon>
    </li>
  );
}

/** An animated bar while the progress is unknown. */
function ProgressBar({ id, progress }: { readonly id: number; readonly progress: number }) {
  const isUnknown = progress === 0;
  return (
    <Progress.Root size={5} radius="xl" mt={8}>
      <Progress.Section
        value={isUnknown ? 100 : progress * 100}
        striped={isUnknown}
        animated={isUnknown}
        color={isUnknown ? 'sea.5' : undefined}
        aria-label={words.running.progress(id)}
      />
    </Progress.Root>
  );
}
