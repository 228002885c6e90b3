import { Group, Stack } from '@mantine/core';
import { type FormRulesRecord, useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { fieldProblems } from '../api/index.ts';
import { ActionButton } from './ActionButton.tsx';
import { ErrorNotice } from './ErrorNotice.tsx';
import { FormButtons } from './FormButtons.tsx';

type Labels = Readonly<Record<string, string>>;
type Name<L extends Labels> = keyof L & string;

interface FieldFormProps<L extends Labels, T, Result> {
  /** The label of each field. */
  readonly labels: L;
  /** Default: empty texts. */
  readonly initial?: T;
  readonly send: (values: T) => Promise<Result>;
  /** Called after a success. */
  readonly onDone?: (result: Result) => unknown;
  /** The label of the button. */
  readonly submit: string | ((values: T) => string);
  /** True if a success empties the fields. Default: they keep their values. */
  readonly isEmptied?: boolean;
  readonly size?: 'sm' | 'md';
  /** Colour of the button. */
  readonly color?: string;
  /** Checks before the form is sent. */
  readonly validate?: FormRulesRecord<T>;
  /** Closes the form, beside its button; absent where it stays. */
  readonly onCancel?: () => void;
  /** Shows an error that belongs to no field. Default: the service's message. */
  readonly notice?: (error: unknown) => ReactNode;
  readonly children: (field: (name: Name<L>, type?: 'checkbox') => FieldProps, values: T) => ReactNode;
}

/** Props of a field of the form; the rest are the props of any input. */
interface FieldProps {
  readonly error?: ReactNode;
}

/**
 * A form with one button. The service's messages are shown at their fields, and other errors above. After an error, the
 * fields keep their values, and the first wrong field gets the focus.
 */
export function FieldForm<L extends Labels, Result, T extends object = Record<Name<L>, string>>(
  props: FieldFormProps<L, T, Result>,
) {
  const { labels, initial = emptied(labels) as T, validate, send, onDone, isEmptied = false } = props;
  const { size = 'md', color, onCancel, children } = props;
  const { notice = (error: unknown) => <ErrorNotice error={error} /> } = props;
  // Fields are found by the name of their form: a page may have several forms with a field of the same name.
  const name = useId().replaceAll(/[^a-z0-9]/gi, '');
  const form = useForm<T>({ name, initialValues: initial, validate });
  const focusFirst = ([first]: readonly string[]) => first !== undefined && form.getInputNode(first)?.focus();
  const sending = useMutation({
    mutationFn: send,
    onSuccess: async (result) => {
      if (isEmptied) form.reset();
      await onDone?.(result);
    },
    onError: (error) => {
      const problems = fieldProblems(error, labels);
      form.setErrors(problems);
      focusFirst(Object.keys(problems));
    },
    // The values may contain a password.
    gcTime: 0,
  });
  const field = (name: Name<L>, type?: 'checkbox'): FieldProps => {
    const common = { label: labels[name], required: true, withAsterisk: false, size };
    return { ...common, ...(form.getInputProps(name, { type }) as FieldProps) };
  };
  const submit = typeof props.submit === 'string' ? props.submit : props.submit(form.values);
  const isGeneral = sending.error && Object.keys(fieldProblems(sending.error, labels)).length === 0;
  return (
    <form
      onSubmit={form.onSubmit(
        (values) => sending.mutate(values),
        (problems) => focusFirst(Object.keys(problems)),
      )}
    >
      <Stack gap="md">
        {isGeneral && notice(sending.error)}
        {children(field, form.values)}
        {onCancel ? (
          <FormButtons action={submit} isSending={sending.isPending} onCancel={onCancel} />
        ) : (
          <Group grow={size === 'md'}>
            <ActionButton label={submit} type="submit" size={size} color={color} mt={4} loading={sending.isPending} />
          </Group>
        )}
      </Stack>
    </form>
  );
}

function emptied(labels: Labels): Record<string, string> {
  return Object.fromEntries(Object.keys(labels).map((name) => [name, '']));
}
