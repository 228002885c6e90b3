import { Modal, TextInput } from '@mantine/core';
import { FieldForm } from '../../ui/index.ts';
import { words } from './words.ts';

interface RenameStyleProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly name: string;
  readonly onRename: (name: string) => Promise<unknown>;
}

export function RenameStyle({ opened, onClose, name, onRename }: RenameStyleProps) {
  return (
    <Modal opened={opened} onClose={onClose} title={words.styles.renameTitle}>
      <FieldForm
        initial={{ name }}
        labels={{ name: words.styles.name }}
        send={({ name: next }) => onRename(next)}
        onDone={onClose}
        submit={words.styles.save}
      >
        {(field) => <TextInput data-autofocus maxLength={100} dir="auto" {...field('name')} />}
      </FieldForm>
    </Modal>
  );
}
