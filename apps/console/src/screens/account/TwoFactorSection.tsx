import { Alert, Anchor, Badge, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Printer, ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { type EnrolmentResponse, refresh, x12 } from '../../api/index.ts';
import { useMe } from '../../shell/index.ts';
import { ActionButton, CopyButton, FieldForm, notifyDone, SecretField, StrongButton, uiWords } from '../../ui/index.ts';
import { ProofOfPassword } from './ProofOfPassword.tsx';
import { Setting } from './Setting.tsx';
import classes from './TwoFactor.module.css';
import { words } from './words.ts';

const text = words.twoFactor;

/** Turns codes of an authenticator app on and off. */
export function TwoFactorSection() {
  const { user } = useMe();
  const queries = useQueryClient();
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const changed = (next: readonly string[] | null) => {
    setCodes(next);
    // The user, and the sessions that have ended.
    return refresh(queries, 'team', 'tokens');
  };
  return (
    <Setting title={text.title} hint={text.hint}>
      <Group>
        <Badge color={user.two_factor ? 'sea' : 'gray'}>{user.two_factor ? text.on : text.off}</Badge>
      </Group>
      {user.two_factor ? <Managing onChange={changed} /> : <Enrolment onDone={changed} />}
      <RecoveryCodes codes={codes} onClose={() => setCodes(null)} />
    </Setting>
  );
}

/** Only memory holds the secret. */
function Enrolment({ onDone }: { readonly onDone: (codes: readonly string[]) => Promise<void> }) {
  const { user } = useMe();
  const [enrolment, setEnrolment] = useState<EnrolmentResponse | null>(null);
  if (enrolment === null) {
    const send = async ({ password }: { readonly password: string }) =>
      setEnrolment(await x12.auth.twoFactor.create(user.has_password ? { password } : {}));
    return (
      <FieldForm labels={{ password: words.password }} send={send} submit={text.begin} size="sm">
        {(field) => <ProofOfPassword field={field} />}
      </FieldForm>
    );
  }
  const confirm = async ({ code }: { readonly code: string }) => {
    const { recovery_codes: codes } = await x12.auth.twoFactor.confirm({ code: code.trim() });
    setEnrolment(null);
    await onDone(codes);
  };
  return (
    <>
      <Text size="sm">{text.scan}</Text>
      <img className={classes.picture} alt={text.picture} src={pictureOf(enrolment.qr_code)} />
      <Anchor href={enrolment.otpauth_url} hiddenFrom="sm" size="sm" fw={600}>
        {text.openApp}
      </Anchor>
      <SecretField label={text.secret} value={enrolment.secret} />
      <FieldForm labels={{ code: text.code }} send={confirm} submit={text.turnOn} size="sm">
        {(field) => <TextInput autoFocus inputMode="numeric" autoComplete="one-time-code" {...field('code')} />}
      </FieldForm>
      <Group>
        <StrongButton onClick={() => setEnrolment(null)}>{uiWords.cancel}</StrongButton>
      </Group>
    </>
  );
}

type Task = 'renew' | 'turnOff';

/** Replaces the recovery codes, or turns two-factor off; each asks for the password and a code. */
function Managing({ onChange }: { readonly onChange: (codes: readonly string[] | null) => Promise<void> }) {
  const { user } = useMe();
  const [task, setTask] = useState<Task>('renew');
  const [isOpen, setOpen] = useState(false);
  const open = (next: Task) => {
    setTask(next);
    setOpen(true);
  };
  const send = async ({ password, code }: { readonly password: string; readonly code: string }) => {
    const proof = { code: code.trim(), ...(user.has_password && { password }) };
    if (task === 'renew') {
      const { recovery_codes: codes } = await x12.auth.twoFactor.recoveryCodes.rotate(proof);
      setOpen(false);
      await onChange(codes);
    } else {
      await x12.auth.twoFactor.delete(proof);
      setOpen(false);
      notifyDone(text.turnedOff);
      await onChange(null);
    }
  };
  return (
    <>
      <Group gap="xs">
        <ActionButton label={text.renew} variant="default" onClick={() => open('renew')} />
        <ActionButton label={text.turnOff} variant="default" onClick={() => open('turnOff')} />
      </Group>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title={text.tasks[task].title}>
        <Stack gap="md">
          <Text size="sm">{text.tasks[task].what}</Text>
          <FieldForm
            labels={{ password: words.password, code: text.anyCode }}
            send={send}
            submit={text.tasks[task].action}
            size="sm"
          >
            {(field) => (
              <>
                <ProofOfPassword field={field} />
                <TextInput autoComplete="one-time-code" {...field('code')} />
              </>
            )}
          </FieldForm>
        </Stack>
      </Modal>
    </>
  );
}

function pictureOf(svg: string): string {
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

interface RecoveryCodesProps {
  /** `null` while there are none to show. */
  readonly codes: readonly string[] | null;
  readonly onClose: () => void;
}

/** Shows new recovery codes once, to copy or to print. Only the button closes it. */
function RecoveryCodes({ codes, onClose }: RecoveryCodesProps) {
  return (
    <Modal
      opened={codes !== null}
      onClose={onClose}
      title={text.codesTitle}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Stack gap="md">
        <Alert role="note" icon={<ShieldCheck aria-hidden />}>
          {text.codesWhat}
        </Alert>
        <ol className={classes.codes} aria-label={text.codes}>
          {codes?.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ol>
        <Group justify="flex-end" gap="xs">
          <CopyButton value={codes?.join('\n') ?? ''} />
          <ActionButton icon={Printer} label={text.print} variant="default" onClick={() => print()} />
          <ActionButton label={text.kept} data-autofocus onClick={onClose} />
        </Group>
      </Stack>
    </Modal>
  );
}
