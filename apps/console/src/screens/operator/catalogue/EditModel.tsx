import { Group, Stack, Switch } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ActionButton, EmptyState, ErrorNotice, Hint, notifyDone, QueryState, Section } from '../../../ui/index.ts';
import type { AddedModelDto, SaveModelRequest } from '../generated/index.ts';
import { useRead } from '../operator-queries.ts';
import { words as operatorWords } from '../words.ts';
import { CallersForm } from './CallersForm.tsx';
import classes from './Catalogue.module.css';
import { useCatalogueChanges, useEntryCheck } from './catalogue-queries.ts';
import { ConflictNotice } from './ConflictNotice.tsx';
import { Back, refusedFields } from './ConnectModel.tsx';
import { type Entry, otherProblems, withChange } from './entry.ts';
import { ENTRY_FIELDS, EntryForm } from './EntryForm.tsx';
import { OtherProblems } from './OtherProblems.tsx';
import { words } from './words.ts';

const text = words.model;

/** The entry of an added model as a form, beside the form of its callers. */
export function EditModel({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const catalogue = useRead('catalogue');
  const { data } = catalogue;
  const current = data?.models.find((model) => model.id === id);
  // The revision that is edited stays while other operators change the model.
  const [opened, setOpened] = useState(current);
  if (!opened && current) setOpened(current);
  return (
    <Stack gap="md">
      <Back onClick={onClose} />
      {!data && <QueryState query={catalogue} rows={3} height={120} />}
      {opened && <Editor key={opened.revision} model={opened} onLoad={() => setOpened(current)} onSaved={onClose} />}
      {data && !opened && <EmptyState title={text.gone} />}
    </Stack>
  );
}

interface EditorProps {
  readonly model: AddedModelDto;
  /** Shows the model as another operator has changed it. */
  readonly onLoad: () => void;
  readonly onSaved: () => void;
}

function Editor({ model: { id, revision, is_offered, ...model }, onLoad, onSaved }: EditorProps) {
  const { saveModel } = useCatalogueChanges();
  const [entry, setEntry] = useState(model.entry as Entry);
  const [isOffered, setOffered] = useState(is_offered);
  const check = useEntryCheck(id, entry);
  const save = useMutation({
    mutationFn: () => saveModel(id, { entry: entry as SaveModelRequest['entry'], is_offered: isOffered, revision }),
    onSuccess: ({ model }) => {
      notifyDone(isOffered ? text.saved(model?.title ?? id) : text.savedOff(model?.title ?? id));
      onSaved();
    },
  });
  const problems = check.problems;
  const others = otherProblems(problems, ENTRY_FIELDS);
  const isRefused = save.error && Object.keys(refusedFields(save.error)).length === 0;
  return (
    <div className={classes.editor}>
      <Section title={model.model?.title ?? id}>
        <Stack gap="lg">
          <Hint dir="ltr">
            {id} · {operatorWords.target(String(entry.provider), String(entry.target))}
          </Hint>
          <EntryForm
            entry={entry}
            problems={problems}
            onChange={(change) => setEntry((before) => withChange(before, change))}
            onReplace={setEntry}
          />
          <Switch
            label={words.entry.isOffered}
            checked={isOffered}
            onChange={(event) => setOffered(event.target.checked)}
          />
          <OtherProblems problems={others} />
          {check.error && <ErrorNotice error={check.error} onRetry={() => void check.retry()} />}
          {isRefused && <ConflictNotice error={save.error} onLoad={onLoad} />}
          <Group justify="flex-end">
            <ActionButton label={text.saveChanges} loading={save.isPending} onClick={() => save.mutate()} />
          </Group>
        </Stack>
      </Section>
      <div className={classes.aside}>
        <CallersForm id={id} entry={entry} model={check.model} canTry={Object.keys(problems).length === 0} />
      </div>
    </div>
  );
}
