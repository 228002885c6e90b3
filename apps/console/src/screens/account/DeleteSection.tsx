import { Group, List, Modal, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { X12Error } from '../../api/index.ts';
import { deleteAccount, useMe } from '../../shell/index.ts';
import { ActionButton, FieldForm, StrongLink } from '../../ui/index.ts';
import { Setting } from './Setting.tsx';
import { words } from './words.ts';

const text = words.delete;

/** Deletes the account for good. */
export function DeleteSection() {
  const [isOpen, setOpen] = useState(false);
  return (
    <Setting title={text.title} hint={text.hint}>
      <Group>
        <ActionButton label={text.begin} color="red" variant="light" onClick={() => setOpen(true)} />
      </Group>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title={text.question}>
        <Stack gap="md">
          <List size="sm" spacing={4}>
            {text.what.map((sentence) => (
              <List.Item key={sentence}>{sentence}</List.Item>
            ))}
          </List>
          <Proof />
        </Stack>
      </Modal>
    </Setting>
  );
}

function Proof() {
  const { user } = useMe();
  const [isOwner, setOwner] = useState(false);
  const send = async ({ email, password }: { readonly email: string; readonly password: string }) => {
    setOwner(false);
    try {
      await deleteAccount({ email: email.trim(), ...(user.has_password && { password }) });
    } catch (error) {
      setOwner(error instanceof X12Error && error.code === 'transfer_ownership_first');
      throw error;
    }
  };
  return (
    <FieldForm
      labels={{ email: text.email, password: words.password }}
      send={send}
      submit={text.action}
      size="sm"
      color="red.9"
    >
      {(field) => (
        <>
          {isOwner && <StrongLink to="/team">{text.toTeam}</StrongLink>}
          <TextInput
            type="email"
            autoComplete="off"
            description={user.has_password ? undefined : words.freshLink}
            {...field('email')}
            error={field('email').error && text.otherEmail}
          />
          {user.has_password && <PasswordInput autoComplete="current-password" {...field('password')} />}
        </>
      )}
    </FieldForm>
  );
}
