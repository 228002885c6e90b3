import { PasswordInput } from '@mantine/core';
import { useMe } from '../../shell/index.ts';
import { FieldForm, NewPasswordInput, StrongLink } from '../../ui/index.ts';
import { useAccount } from './account-queries.ts';
import { Setting } from './Setting.tsx';
import { words } from './words.ts';

/** Changes the password, or sets the first one. */
export function PasswordSection() {
  const { user } = useMe();
  const { changePassword } = useAccount();
  const hasPassword = user.has_password;
  const send = ({ current, password }: { readonly current: string; readonly password: string }) =>
    changePassword({ ...(hasPassword && { current }), password });
  return (
    <Setting
      title={words.password}
      hint={hasPassword ? words.passwordHint : `${words.noPasswordHint} ${words.freshLink}`}
    >
      <FieldForm
        labels={{ current: words.presentPassword, password: words.newPassword }}
        send={send}
        submit={hasPassword ? words.changePassword : words.setPassword}
        isEmptied
        size="sm"
      >
        {(field) => (
          <>
            {/* For password managers. */}
            <input hidden readOnly type="text" autoComplete="username" value={user.email} />
            {hasPassword && <PasswordInput autoComplete="current-password" {...field('current')} />}
            <NewPasswordInput {...field('password')} />
          </>
        )}
      </FieldForm>
      {!hasPassword && <StrongLink to="/forgot-password">{words.byMail}</StrongLink>}
    </Setting>
  );
}
