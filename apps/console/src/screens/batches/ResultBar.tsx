import { type ButtonProps, Group, Progress, Text, VisuallyHidden } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Download, Pause, Play, RotateCcw, X } from 'lucide-react';
import { useCallback } from 'react';
import { type BatchDto, type BatchResponse, refresh, x12 } from '../../api/index.ts';
import { ActionButton, type ActionItem, notifyError, number, useRecordDialogs } from '../../ui/index.ts';
import { showBatch } from './use-batch.ts';
import classes from './ResultGrid.module.css';
import { words } from './words.ts';

interface ResultBarProps {
  readonly batch: BatchDto;
  readonly onCsv: () => void;
}

const text = words.bar;

/** The progress of the batch, its credits, and its commands. */
export function ResultBar({ batch, onCsv }: ResultBarProps) {
  const { state, cells } = batch;
  const share = (count: number) => (count / cells.total) * 100;
  return (
    <Group gap="10px 18px">
      <Progress.Root size="sm" w="100%" aria-hidden>
        <Progress.Section value={share(cells.succeeded)} />
        <Progress.Section value={share(cells.running)} striped animated />
        <Progress.Section value={share(cells.failed)} color="red" />
        <Progress.Section value={share(cells.canceled)} color="gray" />
      </Progress.Root>
      <Counts batch={batch} />
      <VisuallyHidden role="status">{state === 'ended' ? text.ended : ''}</VisuallyHidden>
      <Commands batch={batch} onCsv={onCsv} />
    </Group>
  );
}

function Counts({ batch: { state, cells, cost, used } }: Pick<ResultBarProps, 'batch'>) {
  return (
    <div className={classes.counts} role="group" aria-label={text.label}>
      <Text span inherit fw={600}>
        {words.states[state]}
      </Text>
      {cells.queued > 0 && <span>{text.waiting(cells.queued)}</span>}
      {cells.running > 0 && <span>{text.running(cells.running)}</span>}
      <span>{text.done(cells.succeeded)}</span>
      {cells.failed > 0 && <span data-failed>{text.failed(cells.failed)}</span>}
      {cells.canceled > 0 && <span>{text.canceled(cells.canceled)}</span>}
      <Text span inherit c="dimmed">
        {text.used(number(used), number(cost))}
      </Text>
    </div>
  );
}

function Commands({ batch: { id, state, cells }, onCsv }: ResultBarProps) {
  const { isSending, send } = useCommand();
  const { ask, dialogs } = useRecordDialogs();
  const askToCancel = () => {
    const what = text.cancelText(cells.queued + cells.running);
    ask({ title: text.cancelTitle, what, action: text.cancel }, () => send(() => x12.batches.cancel({ id })));
  };
  const command = (call: () => Promise<BatchResponse>) => ({ disabled: isSending, onClick: () => void send(call) });
  return (
    <>
      <div className={classes.tools}>
        {state === 'running' && (
          <Command icon={Pause} label={text.pause} {...command(() => x12.batches.pause({ id }))} />
        )}
        {state === 'paused' && (
          <Command icon={Play} label={text.resume} variant="filled" {...command(() => x12.batches.resume({ id }))} />
        )}
        {(state === 'running' || state === 'paused') && <Command icon={X} label={text.cancel} onClick={askToCancel} />}
        {cells.failed > 0 && state !== 'canceling' && (
          <Command icon={RotateCcw} label={text.retry(cells.failed)} {...command(() => x12.batches.retry({ id }))} />
        )}
        <Command icon={Download} label={text.csv} onClick={onCsv} />
      </div>
      {dialogs}
    </>
  );
}

type CommandProps = ActionItem & Pick<ButtonProps, 'variant' | 'disabled'>;

function Command(command: CommandProps) {
  return <ActionButton iconSize={15} size="compact-md" variant="default" {...command} />;
}

/** Sends a command, shows the batch that comes back, and reads its cells again. */
export function useCommand() {
  const queries = useQueryClient();
  const command = useMutation({
    mutationFn: async (call: () => Promise<BatchResponse>) => {
      const { batch } = await call();
      showBatch(queries, batch);
      await refresh(queries, 'batches', 'credits', 'generations');
    },
    onError: (error) => notifyError(error),
  });
  const { mutateAsync } = command;
  const send = useCallback(
    (call: () => Promise<BatchResponse>): Promise<void> => mutateAsync(call).catch(() => {}),
    [mutateAsync],
  );
  return { isSending: command.isPending, send };
}
