import { Alert, Button, Group, Modal, Stack } from '@mantine/core';
import { Printer, ShieldCheck } from 'lucide-react';
import { CopyButton } from '../../ui/index.ts';
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
          <Button variant="default" leftSection={<Printer size={16} aria-hidden />} onClick={() => print()}>
            {text.print}
          </Button>
          <Button data-autofocus onClick={onClose}>
            {text.kept}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
