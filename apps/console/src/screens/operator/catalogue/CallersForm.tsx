import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { FlaskConical, FormInput } from 'lucide-react';
import { useState } from 'react';
import { type ModelDto, X12Error } from '../../../api/index.ts';
import { type Draft, EMPTY_DRAFT } from '../../../model-form/draft.ts';
import { costText, ModelFields, ModelMark, PromptInput } from '../../../model-form/index.ts';
import { ActionButton, EmptyState, ErrorNotice, Note } from '../../../ui/index.ts';
import type { TrialResponse } from '../generated/index.ts';
import { useAccess } from '../operator-queries.ts';
import classes from './Catalogue.module.css';
import { type Entry, previewable } from './entry.ts';
import { trialFields, type TrialFields, trialProblems } from './trial.ts';
import { TrialOutcome } from './TrialOutcome.tsx';
import { words } from './words.ts';

interface CallersFormProps {
  readonly id: string;
  /** Null until there is one. It need not be saved. */
  readonly entry: Entry | null;
  /** The model of the last valid entry. */
  readonly model: ModelDto | null;
  /** True if the entry can be tried as it is. */
  readonly canTry: boolean;
}

const text = words.preview;

/** The form of a model as its callers see it. It tries the model as it is filled in. */
export function CallersForm({ id, entry, model, canTry }: CallersFormProps) {
  const [draft, setDraft] = useState(EMPTY_DRAFT);
  const { trial, isRunning, problems, error, start } = useTrial(id, entry);
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));
  return (
    <Paper component="section" aria-label={text.title} shadow="xs" p={20} bd="1px solid var(--line)">
      <Title order={2} size="h3">
        {text.title}
      </Title>
      {entry && model ? (
        <Stack gap="md" mt="md">
          <Group wrap="nowrap" gap={12}>
            <ModelMark model={model} />
            <div className={classes.name}>
              <Text fw={600} truncate dir="auto">
                {model.title}
              </Text>
              <Note truncate>
                {model.provider} · {entry.cost === undefined ? text.noCost : costText(model)}
              </Note>
            </div>
          </Group>
          <PromptInput value={draft.prompt} error={problems.prompt} onChange={(prompt) => change({ prompt })} />
          <ModelFields draft={draft} model={model} problems={problems} onChange={change} />
          <div className={classes.try}>
            <ActionButton
              icon={FlaskConical}
              label={words.trial.action}
              variant="light"
              flex="none"
              loading={isRunning}
              disabled={!canTry}
              onClick={() => start(trialFields(draft, model))}
            />
            <Note>{words.trial.hint}</Note>
          </div>
          {error && <ErrorNotice error={error} />}
          {trial && <TrialOutcome trial={trial} hasCost={entry.cost !== undefined} />}
        </Stack>
      ) : (
        <EmptyState icon={FormInput} title={text.empty} hint={text.emptyHint} />
      )}
    </Paper>
  );
}

const POLL_MS = 1000;

/** A trial of an entry that need not be saved: one real output, which the vendor bills. */
function useTrial(id: string, entry: Entry | null) {
  const { read, send } = useAccess();
  const start = useMutation({
    mutationFn: async (fields: TrialFields) => {
      // The vendor's bill helps to decide the cost.
      const body = { entry: previewable(entry!), ...fields };
      const { trial } = await send<TrialResponse>('POST', `models/${encodeURIComponent(id)}/try`, { body });
      return trial;
    },
  });
  const started = start.data;
  const { data, error } = useQuery({
    queryKey: ['trial', started?.id],
    enabled: started !== undefined,
    queryFn: ({ signal }) => read<TrialResponse>(`trials/${started!.id}`, {}, signal),
    refetchInterval: ({ state }) => (isEnded(state.data?.trial.state) ? false : POLL_MS),
    staleTime: 0,
  });
  const trial = start.isPending ? null : (data?.trial ?? started ?? null);
  const isRefused = start.error instanceof X12Error && start.error.code === 'validation_failed';
  return {
    trial,
    isRunning: start.isPending || (trial !== null && !isEnded(trial.state)),
    /** At the fields of the form. */
    problems: isRefused ? trialProblems((start.error as X12Error).fields) : {},
    error: isRefused ? null : (start.error ?? error),
    start: start.mutate,
  };
}

function isEnded(state: string | undefined): boolean {
  return state === 'succeeded' || state === 'failed';
}
