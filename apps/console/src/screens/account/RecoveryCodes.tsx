import { Alert, Button, Group, Modal, Stack } from '@mantine/core';
import { Printer, ShieldCheck } from 'lucide-react';
import { CopyButton } from '../../ui/index.ts';
import { words } from '../../words.ts';
import classes from './TwoFactor.module.css';

const said = words.account.twoFactor;

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
      title={said.codesTitle}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Stack gap="md">
        <Alert role="note" icon={<ShieldCheck aria-hidden />}>
          {said.codesWhat}
        </Alert>
        <ol className={classes.codes} aria-label={said.codes}>
          {codes?.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ol>
        <Group justify="flex-end" gap="xs">
          <CopyButton value={codes?.join('\n') ?? ''} />
          <Button variant="default" leftSection={<Printer size={16} aria-hidden />} onClick={() => print()}>
            {said.print}
          </Button>
          <Button data-autofocus onClick={onClose}>
            {said.kept}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
