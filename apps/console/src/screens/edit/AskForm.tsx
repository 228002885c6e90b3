import { Button, Loader, Select, Text, Textarea } from '@mantine/core';
import { useNetwork } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Sparkles } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { creditsGetOptions } from '../../api/index.ts';
import { Credits, ErrorNotice, isUnreachable, number, percent, type PricedModel } from '../../ui/index.ts';
import classes from './Room.module.css';
import { PictureGone } from './files-to-send.ts';
import { NothingMarked, type Sending } from './use-ask.ts';
import { words } from './words.ts';

interface AskFormProps {
  readonly task: 'inpaint' | 'outpaint';
  /** The models for the task. */
  readonly models: readonly PricedModel[];
  readonly chosen: PricedModel | undefined;
  readonly prompt: string;
  readonly hasMarks: boolean;
  readonly sending: Sending | null;
  readonly error: unknown;
  readonly onPrompt: (prompt: string) => void;
  readonly onModel: (id: string) => void;
  readonly onAsk: () => void;
}

const text = words.ask;

/** What should be where the picture is marked, by which model, for how much. */
export function AskForm(props: AskFormProps) {
  const { task, models, chosen, prompt, hasMarks, sending, error, onPrompt, onModel, onAsk } = props;
  const { online } = useNetwork();
  const { data } = useQuery(creditsGetOptions());
  const available = data?.credits.available;
  const isShort = chosen !== undefined && available !== undefined && chosen.price > available;
  const canAsk = hasMarks && chosen !== undefined && sending === null && online;
  const askByKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.repeat && canAsk) onAsk();
  };
  return (
    <form
      className={classes.ask}
      aria-label={text.label}
      onKeyDown={askByKey}
      onSubmit={(event) => {
        event.preventDefault();
        if (canAsk) onAsk();
      }}
    >
      <Textarea
        autosize
        minRows={1}
        maxRows={5}
        dir="auto"
        maxLength={10_000}
        label={text.prompt}
        placeholder={text.promptHint}
        classNames={{ label: classes.promptLabel }}
        value={prompt}
        onChange={(event) => onPrompt(event.target.value)}
      />
      {models.length > 1 && (
        <Select
          label={text.model}
          allowDeselect={false}
          classNames={{ label: classes.promptLabel }}
          data={models.map(({ model, price }) => ({ value: model.id, label: text.choice(model.title, price) }))}
          value={chosen?.model.id ?? null}
          onChange={(id) => id && onModel(id)}
        />
      )}
      <Problem error={error} />
      <div className={classes.go}>
        <Text size="xs" c={isShort ? 'var(--mantine-color-error)' : 'dimmed'} aria-live="polite">
          {hintOf({ online, task, models, hasMarks, available, isShort })}
        </Text>
        <Button
          type="submit"
          disabled={!canAsk}
          leftSection={sending ? <Loader size={16} aria-hidden /> : <Sparkles size={17} aria-hidden />}
        >
          {sending ? phaseOf(sending) : <Priced price={chosen?.price} />}
        </Button>
      </div>
    </form>
  );
}

function Priced({ price }: { readonly price: number | undefined }) {
  return (
    <>
      {text.generate}
      {price !== undefined && (
        <span className={classes.price}>
          <Credits amount={price} />
        </span>
      )}
    </>
  );
}

function Problem({ error }: { readonly error: unknown }) {
  if (error === null) return null;
  if (error instanceof NothingMarked) return <ErrorNotice title={text.refused} error={error.message} />;
  if (error instanceof PictureGone) return <ErrorNotice title={text.gone} error={text.goneHint} />;
  return <ErrorNotice title={isUnreachable(error) ? undefined : text.refused} error={error} />;
}

function phaseOf(sending: Sending): string {
  return sending.phase === 'uploading' ? text.phases.uploading(percent(sending.share)) : text.phases[sending.phase];
}

interface Hint extends Pick<AskFormProps, 'task' | 'models' | 'hasMarks'> {
  readonly online: boolean;
  readonly available: number | undefined;
  readonly isShort: boolean;
}

/** What is missing, else the credits left. */
function hintOf({ online, task, models, hasMarks, available, isShort }: Hint): string {
  if (!online) return text.offline;
  if (!hasMarks) return text.markFirst;
  if (models.length === 0) return text.noTask[task];
  if (available === undefined) return '';
  return isShort ? text.short(number(available)) : text.left(number(available));
}
