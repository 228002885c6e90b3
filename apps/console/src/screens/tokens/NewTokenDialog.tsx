import { Alert, Button, Group, Modal, Select, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { ShieldCheck } from 'lucide-react';
import { fieldProblem } from '../../api/index.ts';
import { CodeSample, ErrorNotice, SecretField } from '../../ui/index.ts';
import { words } from '../../words.ts';
import { useTokenCreation } from './token-queries.ts';

interface NewTokenDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

const LONGEST_NAME = 100;
const LIFETIMES = Object.entries(words.tokens.lifetimes).map(([value, label]) => ({ value, label }));

/** Creates a token and shows it once. While it is shown, only the button closes the dialog. */
export function NewTokenDialog({ opened, onClose }: NewTokenDialogProps) {
  const creation = useTokenCreation();
  const secret = creation.data?.token ?? null;
  const close = () => {
    creation.reset();
    onClose();
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={secret === null ? words.tokens.newTitle : words.tokens.createdTitle}
      size="lg"
      withCloseButton={secret === null}
      closeOnClickOutside={secret === null}
      closeOnEscape={secret === null}
    >
      {secret === null ? <Request creation={creation} onCancel={close} /> : <Created secret={secret} onDone={close} />}
    </Modal>
  );
}

interface RequestProps {
  readonly creation: ReturnType<typeof useTokenCreation>;
  readonly onCancel: () => void;
}

function Request({ creation, onCancel }: RequestProps) {
  const form = useForm({
    initialValues: { name: '', lifetime: '90' },
    validate: { name: (name) => (name.trim() ? null : words.tokens.nameMissing) },
  });
  const create = ({ name, lifetime }: typeof form.values) =>
    creation.mutate(
      { name: name.trim(), expires_in_days: lifetime === 'never' ? null : Number(lifetime) },
      { onError: (error) => form.setErrors({ name: fieldProblem(error, 'name', words.tokens.name) }) },
    );
  return (
    <form onSubmit={form.onSubmit(create, () => form.getInputNode('name')?.focus())}>
      <Stack gap="md">
        <TextInput
          data-autofocus
          label={words.tokens.name}
          description={words.tokens.nameHint}
          placeholder={words.tokens.namePlaceholder}
          maxLength={LONGEST_NAME}
          autoComplete="off"
          {...form.getInputProps('name')}
        />
        <Select
          label={words.tokens.lifetime}
          description={form.values.lifetime === 'never' ? words.tokens.neverHint : undefined}
          data={LIFETIMES}
          allowDeselect={false}
          {...form.getInputProps('lifetime')}
        />
        {creation.error && <ErrorNotice error={creation.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            {words.ui.cancel}
          </Button>
          <Button type="submit" loading={creation.isPending}>
            {words.tokens.createAction}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Created({ secret, onDone }: { readonly secret: string; readonly onDone: () => void }) {
  return (
    <Stack gap="md">
      <Alert icon={<ShieldCheck aria-hidden />} role="status">
        {words.tokens.createdWhat}
      </Alert>
      <SecretField isFocused label={words.tokens.secret} value={secret} />
      <div>
        <Text size="sm" mb={6}>
          {words.tokens.howToUse}
        </Text>
        <CodeSample label={words.tokens.howToUse} code={requestWith('$X12_TOKEN')} />
      </div>
      <Group justify="flex-end">
        <Button onClick={onDone}>{words.tokens.done}</Button>
      </Group>
    </Stack>
  );
}

function requestWith(token: string): string {
  return `curl ${location.origin}/v2/auth/me \\\n  -H "Authorization: Bearer ${token}"`;
}
