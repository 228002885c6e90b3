import { Alert, Group, Modal, Stack } from '@mantine/core';
import { Printer, ShieldCheck } from 'lucide-react';
import { ActionButton, CopyButton } from '../../ui/index.ts';
import classes from './TwoFactor.module.css';
import { words } from './words.ts';

const text = words.twoFactor;

interface RecoveryCodesProps {
  /** `null` while there are none to show. */
  readonly codes: readonly string[] | null;
  readonly onClose: () => void;
}

/** Shows new recovery codes once, to copy or to print. Only the button closes it. */
export function RecoveryCodes({ codes, onClose }: RecoveryCodesProps) {
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
