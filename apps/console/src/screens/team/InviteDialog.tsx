import { Button, Group, Input, Modal, PasswordInput, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { X12Error } from '../../api/index.ts';
import { ErrorNotice, notifyDone } from '../../ui/index.ts';
import { words } from '../../words.ts';
import { type GivenRole, useInvite } from './team-queries.ts';

interface InviteDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Invites an address by mail, or opens an account in the team. */
export function InviteDialog({ opened, onClose }: InviteDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title={words.team.inviteTitle}>
      <InviteForm onDone={onClose} />
    </Modal>
  );
}

type How = 'mail' | 'password';

function InviteForm({ onDone }: { readonly onDone: () => void }) {
  const form = useForm({ initialValues: { email: '', role: 'member' as GivenRole, how: 'mail' as How, password: '' } });
  const [error, setError] = useState<unknown>(null);
  const invite = useInvite();
  const { how, role } = form.values;
  const submit = async ({ email, password }: typeof form.values) => {
    setError(null);
    try {
      const outcome = await invite({ email: email.trim(), role, password: how === 'password' ? password : null });
      notifyDone(words.team[outcome](email.trim()));
      onDone();
    } catch (thrown) {
      setError(thrown);
      if (thrown instanceof X12Error) form.setErrors(messagesOf(thrown));
    }
  };
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack gap="md">
        <TextInput
          type="email"
          required
          data-autofocus
          label={words.team.email}
          placeholder={words.team.emailHint}
          autoComplete="off"
          {...form.getInputProps('email')}
        />
        <Choice
          label={words.team.role}
          hint={words.shell.rights[role]}
          value={role}
          onChange={(value) => form.setFieldValue('role', value)}
          options={{ member: words.shell.roles.member, admin: words.shell.roles.admin }}
        />
        <Choice
          label={words.team.how}
          hint={how === 'mail' ? words.team.inviteHint : words.team.passwordHint}
          value={how}
          onChange={(value) => form.setFieldValue('how', value)}
          options={{ mail: words.team.byMail, password: words.team.withPassword }}
        />
        {how === 'password' && (
          <PasswordInput
            required
            minLength={10}
            maxLength={128}
            label={words.team.password}
            description={words.team.passwordRule}
            autoComplete="new-password"
            {...form.getInputProps('password')}
          />
        )}
        {error !== null && <ErrorNotice error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onDone}>
            {words.ui.cancel}
          </Button>
          <Button type="submit" loading={form.submitting}>
            {how === 'mail' ? words.team.send : words.team.addNow}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function messagesOf({ fields }: X12Error): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, [message]]) => [name, message ?? '']));
}

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly hint: string;
  readonly value: Value;
  readonly options: Readonly<Record<Value, string>>;
  readonly onChange: (value: Value) => void;
}

function Choice<Value extends string>({ label, hint, value, options, onChange }: ChoiceProps<Value>) {
  const data = (Object.keys(options) as Value[]).map((each) => ({ value: each, label: options[each] }));
  return (
    <div>
      <Input.Label component="div">{label}</Input.Label>
      <SegmentedControl fullWidth aria-label={label} data={data} value={value} onChange={(next) => onChange(next)} />
      <Text size="sm" c="dimmed" mt={6}>
        {hint}
      </Text>
    </div>
  );
}
