import { Button, Group, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { fieldProblems } from '../api/index.ts';
import { ErrorNotice } from './ErrorNotice.tsx';

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
  readonly submit: string;
  /** True if a success empties the fields. Default: they keep their values. */
  readonly isEmptied?: boolean;
  readonly size?: 'sm' | 'md';
  /** Colour of the button. */
  readonly color?: string;
  /** Shows an error that belongs to no field. Default: the service's message. */
  readonly notice?: (error: unknown) => ReactNode;
  readonly children: (field: (name: Name<L>, type?: 'checkbox') => FieldProps) => ReactNode;
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
  const {
    labels,
    initial = emptied(labels) as T,
    send,
    onDone,
    submit,
    isEmptied = false,
    size = 'md',
    color,
    children,
  } = props;
  const { notice = (error: unknown) => <ErrorNotice error={error} /> } = props;
  // Fields are found by the name of their form: a page may have several forms with a field of the same name.
  const name = useId().replaceAll(/[^a-z0-9]/gi, '');
  const form = useForm<T>({ name, initialValues: initial });
  const sending = useMutation({
    mutationFn: send,
    onSuccess: async (result) => {
      if (isEmptied) form.reset();
      await onDone?.(result);
    },
    onError: (error) => {
      const problems = fieldProblems(error, labels);
      form.setErrors(problems);
      const [first] = Object.keys(problems);
      if (first !== undefined) form.getInputNode(first)?.focus();
    },
    // The values may contain a password.
    gcTime: 0,
  });
  const field = (name: Name<L>, type?: 'checkbox'): FieldProps => {
    const common = { label: labels[name], required: true, withAsterisk: false, size };
    return { ...common, ...(form.getInputProps(name, { type }) as FieldProps) };
  };
  const isGeneral = sending.error && Object.keys(fieldProblems(sending.error, labels)).length === 0;
  return (
    <form onSubmit={form.onSubmit((values) => sending.mutate(values))}>
      <Stack gap="md">
        {isGeneral && notice(sending.error)}
        {children(field)}
        <Group grow={size === 'md'}>
          <Button type="submit" size={size} color={color} mt={4} loading={sending.isPending}>
            {submit}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function emptied(labels: Labels): Record<string, string> {
  return Object.fromEntries(Object.keys(labels).map((name) => [name, '']));
}
