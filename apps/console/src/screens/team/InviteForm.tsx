import { Input, PasswordInput, SegmentedControl, TextInput } from '@mantine/core';
import { shellWords } from '../../shell/index.ts';
import { FieldForm, Hint, notifyDone } from '../../ui/index.ts';
import { type GivenRole, useInvite } from './team-queries.ts';
import { words } from './words.ts';

const EMPTY = { email: '', role: 'member' as GivenRole, how: 'mail' as 'mail' | 'password', password: '' };
const ROLES = { member: shellWords.roles.member, admin: shellWords.roles.admin };
const LABELS = { email: words.email, role: words.role, how: words.how, password: words.password };

/** Invites an address by mail, or opens an account in the team. */
export function InviteForm({ onDone }: { readonly onDone: () => void }) {
  const invite = useInvite();
  const send = async ({ email, role, how, password }: typeof EMPTY) => {
    const outcome = await invite({ email: email.trim(), role, password: how === 'password' ? password : null });
    notifyDone(words[outcome](email.trim()));
  };
  return (
    <FieldForm
      size="sm"
      initial={EMPTY}
      labels={LABELS}
      send={send}
      onDone={onDone}
      submit={({ how }) => (how === 'mail' ? words.send : words.addNow)}
      onCancel={onDone}
    >
      {(field, { role, how }) => (
        <>
          <TextInput type="email" data-autofocus placeholder={words.emailHint} autoComplete="off" {...field('email')} />
          <Choice hint={shellWords.rights[role]} options={ROLES} {...field('role')} />
          <Choice
            hint={how === 'mail' ? words.inviteHint : words.passwordHint}
            options={{ mail: words.byMail, password: words.withPassword }}
            {...field('how')}
          />
          {how === 'password' && (
            <PasswordInput
              minLength={10}
              maxLength={128}
              description={words.passwordRule}
              autoComplete="new-password"
              {...field('password')}
            />
          )}
        </>
      )}
    </FieldForm>
  );
}

interface ChoiceProps {
  readonly hint: string;
  readonly options: Readonly<Record<string, string>>;
  readonly label?: string;
  readonly value?: string;
  readonly onChange?: (value: string) => void;
}

function Choice({ label, hint, value, options, onChange }: ChoiceProps) {
  const data = Object.entries(options).map(([each, name]) => ({ value: each, label: name }));
  return (
    <div>
      <Input.Label component="div">{label}</Input.Label>
      <SegmentedControl fullWidth aria-label={label} data={data} value={value} onChange={onChange} />
      <Hint mt={6}>{hint}</Hint>
    </div>
  );
}
