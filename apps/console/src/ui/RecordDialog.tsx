import { Modal, MultiSelect, Select, Stack, Text, TextInput } from '@mantine/core';
import { type ComponentProps, type ReactNode, useState } from 'react';
import { ConfirmDialog } from './ConfirmDialog.tsx';
import { FieldForm } from './FieldForm.tsx';
import { NewToken } from './NewSecret.tsx';
import { notifyDone } from './notices.tsx';
import { useSubject } from './use-subject.ts';
import { words } from './words.ts';

/** A field of a form. All values are texts. */
export interface RecordField {
  readonly label: string;
  readonly hint?: string;
  readonly placeholder?: string;
  readonly maxLength?: number;
  readonly type?: 'email' | 'number' | 'datetime-local';
  readonly isOptional?: boolean;
  readonly initial?: string | null;
  readonly choices?: readonly (string | { readonly value: string; readonly label: string })[];
  /** True if several of the choices may be taken: the value is their list, separated by commas. */
  readonly isList?: boolean;
}

/** A token to show once, and a first call with it for curl. */
interface MadeToken {
  readonly token: string;
  readonly call: string;
}

/** A dialog with a few fields that makes or changes a record. */
export interface RecordForm<Name extends string = string> {
  readonly title: string;
  readonly what?: string;
  readonly fields: Readonly<Record<Name, RecordField>>;
  readonly submit: string;
  /** @returns what was done, as a sentence, or a token to show */
  send(values: Readonly<Record<Name, string>>): Promise<string | MadeToken | void>;
}

/** A dialog that asks before a record is changed. */
interface Question {
  readonly title: string;
  /** The record, where the title does not name it. */
  readonly subject?: string;
  /** Sentences are below each other. */
  readonly what: ReactNode | readonly string[];
  readonly action: string;
  /** Said after the change. */
  readonly done?: string;
  /** A word to type first, for irreversible actions. */
  readonly typed?: string;
  readonly color?: string;
}

export interface RecordDialogs {
  readonly fill: <Name extends string>(form: RecordForm<Name>) => void;
  readonly ask: (question: Question, change: () => Promise<unknown>) => void;
}

const Subject = Text.withProps<'bdi'>({
  component: 'bdi',
  inherit: true,
  fw: 600,
  style: { overflowWrap: 'anywhere' },
});

/** The dialogs of a list of records. Render `dialogs`. */
export function useRecordDialogs() {
  const form = useSubject<RecordForm>();
  const question = useSubject<Question & { readonly change: () => Promise<unknown> }>();
  const { title = '', subject, what, action = '', typed, color, done, change } = question.subject ?? {};
  const dialogs = (
    <>
      <RecordDialog form={form.subject} opened={form.isOpen} onClose={form.close} />
      <ConfirmDialog
        opened={question.isOpen}
        onClose={question.close}
        {...{ title, action, typed, color }}
        onConfirm={() => change!().then(() => done && notifyDone(done))}
      >
        <Text component="div" size="sm">
          <Stack gap="md">
            {subject !== undefined && <Subject>{subject}</Subject>}
            {Array.isArray(what) ? what.map((sentence: string) => <div key={sentence}>{sentence}</div>) : what}
          </Stack>
        </Text>
      </ConfirmDialog>
    </>
  );
  const ask: RecordDialogs['ask'] = (asked, make) => question.open({ ...asked, change: make });
  return { fill: form.open as RecordDialogs['fill'], ask, dialogs };
}

interface RecordDialogProps {
  readonly form: RecordForm | null;
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** While a new token is shown, only its button closes the dialog. */
function RecordDialog({ form, opened, onClose }: RecordDialogProps) {
  const [made, setMade] = useState<MadeToken | null>(null);
  const finish = (outcome: string | MadeToken | void) => {
    if (typeof outcome === 'object') return setMade(outcome);
    if (outcome) notifyDone(outcome);
    onClose();
  };
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={() => setMade(null)}
      title={made ? words.newToken.title : form?.title}
      size={made ? 'lg' : undefined}
      withCloseButton={!made}
      closeOnClickOutside={!made}
      closeOnEscape={!made}
    >
      {made ? <NewToken {...made} onDone={onClose} /> : form && <Fields form={form} onDone={finish} />}
    </Modal>
  );
}

interface FieldsProps {
  readonly form: RecordForm;
  readonly onDone: (outcome: string | MadeToken | void) => void;
}

function Fields({ form: { what, fields, submit, send }, onDone }: FieldsProps) {
  const each = <Value,>(of: (field: RecordField) => Value) =>
    Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, of(field)]));
  return (
    <Stack gap="md">
      {what && <Text size="sm">{what}</Text>}
      <FieldForm
        initial={each(({ initial }) => initial ?? '')}
        labels={each(({ label }) => label)}
        send={send}
        onDone={onDone}
        submit={submit}
      >
        {(field) =>
          Object.entries(fields).map(([name, about], index) => (
            <Field key={name} about={about} isFirst={index === 0} input={field(name)} />
          ))
        }
      </FieldForm>
    </Stack>
  );
}

interface FieldProps {
  readonly about: RecordField;
  readonly isFirst: boolean;
  readonly input: object;
}

function Field({ about, isFirst, input }: FieldProps) {
  const { hint: description, placeholder, maxLength = 255, type, isOptional = false, choices, isList } = about;
  const common = { ...input, description, placeholder, required: !isOptional, 'data-autofocus': isFirst || undefined };
  if (isList) return <ListInput {...common} data={choices} />;
  if (choices) return <Select allowDeselect={false} data={choices} {...common} />;
  return (
    <TextInput
      type={type}
      min={type === 'number' ? 0 : undefined}
      dir="auto"
      autoComplete="off"
      maxLength={maxLength}
      {...common}
    />
  );
}

type ListInputProps = Omit<ComponentProps<typeof MultiSelect>, 'value' | 'onChange'> & {
  readonly value?: string;
  readonly onChange?: (value: string) => void;
};

function ListInput({ value = '', onChange, ...input }: ListInputProps) {
  const values = value.split(',').filter(Boolean);
  return <MultiSelect clearable value={values} onChange={(next) => onChange?.(next.join(','))} {...input} />;
}

/** Null for an optional field without a value. */
export function orNull(value: string): string | null {
  return value.trim() || null;
}
