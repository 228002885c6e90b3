import { Input, PasswordInput, SegmentedControl, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { X12Error } from '../../api/index.ts';
import { shellWords } from '../../shell/index.ts';
import { ErrorNotice, FormButtons, Hint, notifyDone } from '../../ui/index.ts';
import { type GivenRole, useInvite } from './team-queries.ts';
import { words } from './words.ts';

type How = 'mail' | 'password';

/** Invites an address by mail, or opens an account in the team. */
export function InviteForm({ onDone }: { readonly onDone: () => void }) {
  const { form, error, submit } = useInviteForm(onDone);
  const { how, role } = form.values;
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack gap="md">
        <TextInput
          type="email"
          required
          data-autofocus
          label={words.email}
          placeholder={words.emailHint}
          autoComplete="off"
          {...form.getInputProps('email')}
        />
        <Choice
          label={words.role}
          hint={shellWords.rights[role]}
          value={role}
          onChange={(value) => form.setFieldValue('role', value)}
          options={{ member: shellWords.roles.member, admin: shellWords.roles.admin }}
        />
        <Choice
          label={words.how}
          hint={how === 'mail' ? words.inviteHint : words.passwordHint}
          value={how}
          onChange={(value) => form.setFieldValue('how', value)}
          options={{ mail: words.byMail, password: words.withPassword }}
        />
        {how === 'password' && (
          <PasswordInput
            required
            minLength={10}
            maxLength={128}
            label={words.password}
            description={words.passwordRule}
            autoComplete="new-password"
            {...form.getInputProps('password')}
          />
        )}
        {error !== null && <ErrorNotice error={error} />}
        <FormButtons
          action={how === 'mail' ? words.send : words.addNow}
          isSending={form.submitting}
          onCancel={onDone}
        />
      </Stack>
    </form>
  );
}

function useInviteForm(onDone: () => void) {
  const form = useForm({ initialValues: { email: '', role: 'member' as GivenRole, how: 'mail' as How, password: '' } });
  const [error, setError] = useState<unknown>(null);
  const invite = useInvite();
  const submit = async ({ email, role, how, password }: typeof form.values) => {
    setError(null);
    try {
      const outcome = await invite({ email: email.trim(), role, password: how === 'password' ? password : null });
      notifyDone(words[outcome](email.trim()));
      onDone();
    } catch (thrown) {
      setError(thrown);
      if (thrown instanceof X12Error) form.setErrors(messagesOf(thrown));
    }
  };
  return { form, error, submit };
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
      <Hint mt={6}>{hint}</Hint>
    </div>
  );
}
