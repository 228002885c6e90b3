import { Button, Progress, Text, VisuallyHidden } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Download, Pause, Play, RotateCcw, X } from 'lucide-react';
import { useCallback, useState } from 'react';
import { type BatchDto, type BatchResponse, refresh, x12 } from '../../api/index.ts';
import { ConfirmDialog, notifyError, number } from '../../ui/index.ts';
import { showBatch } from './use-batch.ts';
import classes from './Wall.module.css';
import { words } from './words.ts';

interface WallBarProps {
  readonly batch: BatchDto;
  readonly onCsv: () => void;
}

const text = words.bar;

/** How far the batch is, what it has used, and what can be done with it. */
export function WallBar({ batch, onCsv }: WallBarProps) {
  const { id, state, cells, cost, used } = batch;
  const { isSending, send } = useCommand();
  const [isAsking, setAsking] = useState(false);
  const open = cells.queued + cells.running;
  const share = (count: number) => (count / cells.total) * 100;
  return (
    <div className={classes.bar}>
      <Progress.Root size="sm" className={classes.progress} aria-hidden>
        <Progress.Section value={share(cells.succeeded)} />
        <Progress.Section value={share(cells.running)} striped animated />
        <Progress.Section value={share(cells.failed)} color="red" />
        <Progress.Section value={share(cells.canceled)} color="gray" />
      </Progress.Root>
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
      <VisuallyHidden role="status">{state === 'ended' ? text.ended : ''}</VisuallyHidden>
      <div className={classes.tools}>
        {state === 'running' && (
          <Button
            size="compact-md"
            variant="default"
            leftSection={<Pause size={15} aria-hidden />}
            disabled={isSending}
            onClick={() => void send(() => x12.batches.pause({ id }))}
          >
            {text.pause}
          </Button>
        )}
        {state === 'paused' && (
          <Button
            size="compact-md"
            leftSection={<Play size={15} aria-hidden />}
            disabled={isSending}
            onClick={() => void send(() => x12.batches.resume({ id }))}
          >
            {text.resume}
          </Button>
        )}
        {(state === 'running' || state === 'paused') && (
          <Button
            size="compact-md"
            variant="default"
            leftSection={<X size={15} aria-hidden />}
            onClick={() => setAsking(true)}
          >
            {text.cancel}
          </Button>
        )}
        {cells.failed > 0 && state !== 'canceling' && (
          <Button
            size="compact-md"
            variant="default"
            leftSection={<RotateCcw size={15} aria-hidden />}
            disabled={isSending}
            onClick={() => void send(() => x12.batches.retry({ id }))}
          >
            {text.retry(cells.failed)}
          </Button>
        )}
        <Button size="compact-md" variant="default" leftSection={<Download size={15} aria-hidden />} onClick={onCsv}>
          {text.csv}
        </Button>
      </div>
      <ConfirmDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={text.cancelTitle}
        action={text.cancel}
        onConfirm={() => send(() => x12.batches.cancel({ id }))}
      >
        <Text size="sm">{text.cancelText(open)}</Text>
      </ConfirmDialog>
    </div>
  );
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
