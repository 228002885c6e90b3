import { TextInput } from '@mantine/core';
import { FieldForm, StrongButton } from '../../ui/index.ts';
import { signInByCode } from './account.ts';
import { Entrance, Others } from './Entrance.tsx';
import { words } from './words.ts';

const text = words.code;

interface SecondFactorProps {
  readonly challenge: string;
  readonly onDone: () => unknown;
  readonly onBack: () => void;
}

/** Asks for a code of the authenticator app, or a recovery code. */
export function SecondFactor({ challenge, onDone, onBack }: SecondFactorProps) {
  return (
    <Entrance title={text.title} hint={text.hint}>
      <FieldForm
        labels={{ code: text.code }}
        send={({ code }) => signInByCode({ challenge, code })}
        onDone={onDone}
        submit={words.submit}
      >
        {(field) => <TextInput autoFocus autoComplete="one-time-code" {...field('code')} />}
      </FieldForm>
      <Others>
        <StrongButton onClick={onBack}>{text.again}</StrongButton>
      </Others>
    </Entrance>
  );
}
