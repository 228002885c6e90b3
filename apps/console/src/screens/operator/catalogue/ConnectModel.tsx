import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowLeft, CircleCheck, Sparkles } from 'lucide-react';
import { useState } from 'react';
import { X12Error } from '../../../api/index.ts';
import { ActionButton, EmptyState, ErrorNotice, Hint, QueryState, Section } from '../../../ui/index.ts';
import type { AddedModelDto, SaveModelRequest } from '../generated/index.ts';
import { useRead } from '../operator-queries.ts';
import { CallersForm } from './CallersForm.tsx';
import classes from './Catalogue.module.css';
import { useCatalogueChanges, useEntryCheck } from './catalogue-queries.ts';
import { type Entry, type EntryProblems, freeId, otherProblems, problemAt } from './entry.ts';
import { ENTRY_FIELDS, EntryForm } from './EntryForm.tsx';
import { Fold } from './Fold.tsx';
import { providersOf } from './known-providers.ts';
import { generateWith } from './ModelList.tsx';
import { LeftOut } from './LeftOut.tsx';
import { OtherProblems } from './OtherProblems.tsx';
import { ProviderStep } from './ProviderStep.tsx';
import { Questions } from './Questions.tsx';
import { StarterModels } from './StarterModels.tsx';
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
      <ActionButton
        icon={ArrowLeft}
        label={text.back}
        size="compact-sm"
        variant="subtle"
        color="gray"
        onClick={onClick}
      />
    </Group>
  );
}

function Steps({ onSaved }: { readonly onSaved: (model: AddedModelDto) => void }) {
  const connection = useConnection(onSaved);
  const { catalogue, providers, provider, proposal } = connection;
  const { entry } = proposal;
  if (!catalogue.isSuccess) return <QueryState query={catalogue} rows={3} height={120} />;
  return (
    <div className={classes.editor}>
      <Stack gap="md">
        <Section title={text.steps.provider}>
          <ProviderStep
            providers={providers}
            chosen={connection.chosen}
            onChoose={(next) => {
              connection.choose(next);
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
              onRead={(source) => connection.read({ provider: provider.id, ...source })}
            />
          </Section>
        )}
        {provider && isVendorType(provider.type) && !entry && (
          <StarterModels key={provider.id} provider={provider.id} type={provider.type} />
        )}
        {entry && (
          <Section title={text.steps.questions}>
            <QuestionsStep connection={connection} entry={entry} />
          </Section>
        )}
      </Stack>
      <div className={classes.aside}>
        <CallersForm
          id={connection.id}
          entry={entry}
          model={entry && connection.check.model}
          canTry={connection.isOnlyCostOpen && Object.keys(connection.check.problems).length === 0}
        />
      </div>
    </div>
  );
}

type Connection = ReturnType<typeof useConnection>;

/** The provider and the proposed entry of a new model, checked and saved. */
function useConnection(onSaved: (model: AddedModelDto) => void) {
  const catalogue = useRead('catalogue');
  const checked = useRead('providers');
  const listed = useRead('models');
  const [chosen, choose] = useState<string | null>(null);
  const [typedId, setId] = useState<string | null>(null);
  const proposal = useProposal();
  const { saveModel } = useCatalogueChanges();
  const { entry } = proposal;

  const providers = providersOf(catalogue.data, checked.data).filter(({ problem }) => problem === null);
  const taken = listed.data?.models.flatMap(({ id, model }) => [id, ...(model?.aliases ?? [])]) ?? [];
  const id = typedId ?? freeId(proposal.id ?? '', taken);
  const check = useEntryCheck(id, entry);
  const save = useMutation({
    mutationFn: () => saveModel(id, { entry: entry as SaveModelRequest['entry'], revision: null }),
    onSuccess: onSaved,
  });
  return {
    catalogue,
    providers,
    provider: providers.find((each) => each.id === chosen) ?? null,
    chosen,
    choose,
    proposal,
    read: (source: Parameters<typeof proposal.read>[0]) => {
      setId(null);
      save.reset();
      proposal.read(source);
    },
    id,
    setId,
    isOnlyCostOpen: proposal.open.every(({ about }) => about === 'cost'),
    check,
    problems: { ...check.problems, ...refusedFields(save.error) },
    save,
  };
}

/** Questions that only the operator can answer, the id, and the button that saves. */
function QuestionsStep({ connection, entry }: { readonly connection: Connection; readonly entry: Entry }) {
  const { proposal, problems, id, setId, check, save } = connection;
  const conflict = save.error instanceof X12Error && save.error.code === 'conflict' ? save.error.message : undefined;
  return (
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
      {connection.isOnlyCostOpen && (
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
      <OtherProblems problems={otherProblems(problems, ['id', ...ENTRY_FIELDS])} />
      {check.error && <ErrorNotice error={check.error} onRetry={() => void check.retry()} />}
      {save.error && !conflict && Object.keys(refusedFields(save.error)).length === 0 && (
        <ErrorNotice error={save.error} />
      )}
      <SaveBar connection={connection} />
    </Stack>
  );
}

function SaveBar({ connection: { proposal, save } }: { readonly connection: Connection }) {
  const open = proposal.open.length;
  return (
    <Group justify="space-between">
      <Hint aria-live="polite">{open > 0 && text.unanswered(open)}</Hint>
      <Button loading={save.isPending} disabled={open > 0 || proposal.isReading} onClick={() => save.mutate()}>
        {text.save}
      </Button>
    </Group>
  );
}

/** The messages of a refused save, by field. */
export function refusedFields(error: unknown): EntryProblems {
  return error instanceof X12Error && error.code === 'validation_failed' ? error.fields : {};
}

/** Reports whether a field of the folded form has a problem. */
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
            <ActionButton component={Link} icon={Sparkles} label={text.use} {...generateWith(id)} />
            <ActionButton label={text.another} variant="default" onClick={onAgain} />
            <ActionButton label={text.back} variant="default" onClick={onClose} />
          </Group>
        }
      />
    </Section>
  );
}
