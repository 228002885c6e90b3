import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowLeft, CircleCheck, Sparkles } from 'lucide-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { modelsListOptions, X12Error } from '../../../api/index.ts';
import { EmptyState, ErrorNotice, Loading, Section } from '../../../ui/index.ts';
import type { AddedModelDto, SaveModelRequest } from '../generated/index.ts';
import { useRead } from '../operator-queries.ts';
import { CallersForm } from './CallersForm.tsx';
import classes from './Catalogue.module.css';
import { useCatalogueChanges, useEntryCheck } from './catalogue-queries.ts';
import { type EntryProblems, freeId, otherProblems, problemAt } from './entry.ts';
import { ENTRY_FIELDS, EntryForm } from './EntryForm.tsx';
import { Fold } from './Fold.tsx';
import { providersOf } from './known-providers.ts';
import { generateWith } from './ModelList.tsx';
import { LeftOut } from './LeftOut.tsx';
import { OtherProblems } from './OtherProblems.tsx';
import { ProviderStep } from './ProviderStep.tsx';
import { Questions } from './Questions.tsx';
import { TargetStep } from './TargetStep.tsx';
import { useProposal } from './use-proposal.ts';
import { isVendorType } from './vendors.ts';
import { words } from './words.ts';

const text = words.model;

/** Connects a model: its provider, its description, what only the operator knows, a try. */
export function ConnectModel({ onClose }: { readonly onClose: () => void }) {
  const [saved, setSaved] = useState<AddedModelDto | null>(null);
  const [round, setRound] = useState(0);
  const again = () => {
    setSaved(null);
    setRound(round + 1);
  };
  return (
    <Stack gap="md">
      <Back onClick={onClose} />
      {saved ? <Saved model={saved} onAgain={again} onClose={onClose} /> : <Steps key={round} onSaved={setSaved} />}
    </Stack>
  );
}

export function Back({ onClick }: { readonly onClick: () => void }) {
  return (
    <Group>
      <Button
        size="compact-sm"
        variant="subtle"
        color="gray"
        leftSection={<ArrowLeft size={16} aria-hidden />}
        onClick={onClick}
      >
        {text.back}
      </Button>
    </Group>
  );
}

function Steps({ onSaved }: { readonly onSaved: (model: AddedModelDto) => void }) {
  const catalogue = useRead('catalogue');
  const checked = useRead('providers');
  const offered = useQuery(modelsListOptions());
  const [chosen, setChosen] = useState<string | null>(null);
  const [typedId, setId] = useState<string | null>(null);
  const proposal = useProposal();
  const { saveModel } = useCatalogueChanges();

  const providers = providersOf(catalogue.data, checked.data).filter(({ problem }) => problem === null);
  const provider = providers.find(({ id }) => id === chosen) ?? null;
  const taken = [...(catalogue.data?.models ?? []), ...(offered.data?.models ?? [])].map(({ id }) => id);
  const id = typedId ?? freeId(proposal.id ?? '', taken);
  const { entry } = proposal;
  const onlyCostIsOpen = proposal.open.every(({ about }) => about === 'cost');
  const check = useEntryCheck(id, entry);
  const save = useMutation({
    mutationFn: () => saveModel(id, { entry: entry as SaveModelRequest['entry'], revision: null }),
    onSuccess: onSaved,
  });
  const problems = { ...check.problems, ...refusedFields(save.error) };
  const conflict = save.error instanceof X12Error && save.error.code === 'conflict' ? save.error.message : undefined;
  const others = otherProblems(problems, ['id', ...ENTRY_FIELDS]);
  if (catalogue.error) return <ErrorNotice error={catalogue.error} onRetry={() => void catalogue.refetch()} />;
  if (catalogue.isPending) return <Loading rows={3} height={120} />;
  return (
    <div className={classes.editor}>
      <Stack gap="md">
        <Section title={text.steps.provider}>
          <ProviderStep
            providers={providers}
            chosen={chosen}
            onChoose={(next) => {
              setChosen(next);
              proposal.forget();
            }}
          />
        </Section>
        {provider && isVendorType(provider.type) && (
          <Section title={text.steps.target}>
            <TargetStep
              key={provider.id}
              type={provider.type}
              isReading={proposal.isReading}
              error={entry ? null : proposal.error}
              onRead={(source) => {
                setId(null);
                save.reset();
                proposal.read({ provider: provider.id, ...source });
              }}
            />
          </Section>
        )}
        {entry && (
          <Section title={text.steps.questions}>
            <Stack gap="lg">
              <Questions
                questions={proposal.questions}
                answers={proposal.answers}
                entry={entry}
                problemOf={(field) => problemAt(problems, field)}
                onAnswer={proposal.answer}
                onChange={proposal.change}
              />
              {proposal.error && <ErrorNotice error={proposal.error} />}
              <TextInput
                label={words.entry.id}
                description={words.entry.idHint}
                dir="ltr"
                spellCheck={false}
                error={problemAt(problems, 'id') ?? conflict}
                value={id}
                onChange={(event) => setId(event.target.value.trim())}
              />
              <LeftOut fields={proposal.leftOut} />
              {onlyCostIsOpen && (
                <Fold label={text.change} isWrong={hasProblem(problems, entry)}>
                  <EntryForm
                    entry={entry}
                    problems={problems}
                    without={proposal.questions.map(({ about }) => about)}
                    onChange={proposal.change}
                    onReplace={proposal.replace}
                  />
                </Fold>
              )}
              <OtherProblems problems={others} />
              {check.error && <ErrorNotice error={check.error} onRetry={() => void check.retry()} />}
              {save.error && !conflict && Object.keys(refusedFields(save.error)).length === 0 && (
                <ErrorNotice error={save.error} />
              )}
              <Group justify="space-between">
                <Text size="sm" c="dimmed" aria-live="polite">
                  {proposal.open.length > 0 && text.unanswered(proposal.open.length)}
                </Text>
                <Button
                  loading={save.isPending}
                  disabled={proposal.open.length > 0 || proposal.isReading}
                  onClick={() => save.mutate()}
                >
                  {text.save}
                </Button>
              </Group>
            </Stack>
          </Section>
        )}
      </Stack>
      <div className={classes.aside}>
        <CallersForm
          id={id}
          entry={entry}
          model={entry && check.model}
          canTry={onlyCostIsOpen && Object.keys(check.problems).length === 0}
        />
      </div>
    </div>
  );
}

/** The messages of a refused save, by field. */
export function refusedFields(error: unknown): EntryProblems {
  return error instanceof X12Error && error.code === 'validation_failed' ? error.fields : {};
}

/** Whether a field of the folded form has a problem. */
function hasProblem(problems: EntryProblems, entry: object): boolean {
  return ENTRY_FIELDS.some((field) => field !== 'cost' && field in entry && problemAt(problems, field) !== undefined);
}

interface SavedProps {
  readonly model: AddedModelDto;
  readonly onAgain: () => void;
  readonly onClose: () => void;
}

function Saved({ model: { id, model }, onAgain, onClose }: SavedProps) {
  return (
    <Section>
      <EmptyState
        icon={CircleCheck}
        title={text.saved(model?.title ?? id)}
        hint={text.savedHint}
        action={
          <Group justify="center" mt="sm">
            <Button component={Link} {...generateWith(id)} leftSection={<Sparkles size={16} aria-hidden />}>
              {text.use}
            </Button>
            <Button variant="default" onClick={onAgain}>
              {text.another}
            </Button>
            <Button variant="default" onClick={onClose}>
              {text.back}
            </Button>
          </Group>
        }
      />
    </Section>
  );
}
