import { Button, Group, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { fieldProblem } from '../api/index.ts';
import { ErrorNotice } from './ErrorNotice.tsx';

type Name<T> = keyof T & string;

interface FieldFormProps<T, Result> {
  readonly initial: T;
  /** The label of each field. */
  readonly labels: Readonly<Record<Name<T>, string>>;
  readonly send: (values: T) => Promise<Result>;
  /** Called after a success. */
  readonly onDone?: (result: Result) => unknown;
  /** The label of the button. */
  readonly submit: string;
  /** Whether a success empties the fields. Default: they keep their values. */
  readonly isEmptied?: boolean;
  readonly size?: 'sm' | 'md';
  readonly children: (field: (name: Name<T>) => object) => ReactNode;
}

/**
 * A form with one button. The service's messages are shown at their fields, and other errors above. After an error, the
 * fields keep their values, and the first wrong field gets the focus.
 */
export function FieldForm<T extends Record<string, string>, Result>(props: FieldFormProps<T, Result>) {
  const { initial, labels, send, onDone, submit, isEmptied = false, size = 'md', children } = props;
  const form = useForm<T>({ initialValues: initial });
  const sending = useMutation({
    mutationFn: send,
    onSuccess: async (result) => {
      if (isEmptied) form.reset();
      await onDone?.(result);
    },
    onError: (error) => {
      const problems = fieldErrors(error, labels);
      form.setErrors(problems);
      const [first] = Object.keys(problems);
      if (first !== undefined) form.getInputNode(first)?.focus();
    },
    // The values may contain a password.
    gcTime: 0,
  });
  const field = (name: Name<T>) => ({
    label: labels[name],
    required: true,
    withAsterisk: false,
    size,
    ...form.getInputProps(name),
  });
  const isGeneral = sending.error && Object.keys(fieldErrors(sending.error, labels)).length === 0;
  return (
    <form onSubmit={form.onSubmit((values) => sending.mutate(values))}>
      <Stack gap="md">
        {isGeneral && <ErrorNotice error={sending.error} />}
        {children(field)}
        <Group grow={size === 'md'}>
          <Button type="submit" size={size} mt={4} loading={sending.isPending}>
            {submit}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** The service's messages about the fields of the form. */
function fieldErrors(error: unknown, labels: Readonly<Record<string, string>>): Record<string, string> {
  const problems = Object.entries(labels).map(([name, label]) => [name, fieldProblem(error, name, label)]);
  return Object.fromEntries(problems.filter(([, problem]) => problem !== undefined));
}
