import { Anchor, Group, TextInput } from '@mantine/core';
import { FieldForm } from '../../ui/index.ts';
import { words } from '../../words.ts';
import { signInByCode } from './account.ts';
import { Entrance } from './Entrance.tsx';
import classes from './Entrance.module.css';

const said = words.signIn.code;

interface SecondFactorProps {
  readonly challenge: string;
  readonly onDone: () => unknown;
  readonly onBack: () => void;
}

/** Asks for a code of the authenticator app, or a recovery code. */
export function SecondFactor({ challenge, onDone, onBack }: SecondFactorProps) {
  return (
    <Entrance title={said.title} hint={said.hint}>
      <FieldForm
        initial={{ code: '' }}
        labels={{ code: said.code }}
        send={({ code }) => signInByCode({ challenge, code })}
        onDone={onDone}
        submit={words.signIn.submit}
      >
        {(field) => <TextInput autoFocus autoComplete="one-time-code" {...field('code')} />}
      </FieldForm>
      <Group className={classes.other}>
        <Anchor component="button" type="button" size="sm" fw={600} onClick={onBack}>
          {said.again}
        </Anchor>
      </Group>
    </Entrance>
  );
}
