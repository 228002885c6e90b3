import { Button, Loader, Select, Text, Textarea } from '@mantine/core';
import { useNetwork } from '@mantine/hooks';
import { Sparkles } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { Credits, ErrorNotice, isUnreachable, percent, useCreditsLeft } from '../../ui/index.ts';
import classes from './Editor.module.css';
import { hasMarks } from './drawing.ts';
import { PictureGone } from './files-to-send.ts';
import { NothingMarked, type Sending } from './use-ask.ts';
import type { Editing } from './use-editing.ts';
import { words } from './words.ts';

const text = words.ask;

/** The request for the marked part of the picture: prompt, model and price. */
export function AskForm({ editing }: { readonly editing: Editing }) {
  const { edit, drawing, change, start } = editing;
  const { models, chosen, sending, error } = editing.request;
  const { online } = useNetwork();
  const { left, isShort } = useCreditsLeft(chosen?.price);
  const canAsk = hasMarks(drawing) && chosen !== undefined && sending === null && online;
  const askByKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.repeat && canAsk) void start();
  };
  return (
    <form
      className={classes.ask}
      aria-label={text.label}
      onKeyDown={askByKey}
      onSubmit={(event) => {
        event.preventDefault();
        if (canAsk) void start();
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
        value={edit.prompt}
        onChange={(event) => change({ prompt: event.target.value })}
      />
      {models.length > 1 && (
        <Select
          label={text.model}
          allowDeselect={false}
          classNames={{ label: classes.promptLabel }}
          data={models.map(({ model, price }) => ({ value: model.id, label: text.choice(model.title, price) }))}
          value={chosen?.model.id ?? null}
          onChange={(id) => id && change({ model: id })}
        />
      )}
      <Problem error={error} />
      <div className={classes.go}>
        <Text size="xs" c={isShort ? 'var(--mantine-color-error)' : 'dimmed'} aria-live="polite">
          {hintOf(editing, online) ?? left}
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
        <Text span inherit fw={500} ms={8}>
          <Credits amount={price} />
        </Text>
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

/** The missing part of the request; null if nothing is. */
function hintOf({ drawing, request: { task, models } }: Editing, online: boolean): string | null {
  if (!online) return text.offline;
  if (!hasMarks(drawing)) return text.markFirst;
  return models.length === 0 ? text.noTask[task] : null;
}
