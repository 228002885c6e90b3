import { Avatar, Button, FileButton, Group, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { ImageUp } from 'lucide-react';
import { useMe } from '../../shell/index.ts';
import { ActionButton, ErrorNotice, FieldForm, initialOf } from '../../ui/index.ts';
import { isActive, useUploads } from '../../uploads/index.ts';
import { PICTURE, useAccount } from './account-queries.ts';
import { Setting } from './Setting.tsx';
import { words } from './words.ts';

export function ProfileSection() {
  const { user } = useMe();
  const { saveName } = useAccount();
  return (
    <Setting title={words.profile} hint={words.profileHint}>
      <PictureField />
      <FieldForm
        initial={{ name: user.name ?? '' }}
        labels={{ name: words.name }}
        send={saveName}
        submit={words.saveName}
        size="sm"
      >
        {(field) => <TextInput autoComplete="name" {...field('name')} required={false} />}
      </FieldForm>
    </Setting>
  );
}

function PictureField() {
  const { user } = useMe();
  const account = useAccount();
  const upload = useUploads().findLast(({ place, status }) => place === PICTURE && status !== 'done');
  const removal = useMutation({ mutationFn: account.removePicture });
  return (
    <>
      <Group gap="md">
        <Avatar src={user.avatar} alt={words.picture} color="sea" size={72}>
          {initialOf(user.name ?? user.email)}
        </Avatar>
        <Group gap="xs">
          <FileButton accept="image/*" onChange={(file) => file && account.uploadPicture(file)}>
            {(button) => (
              <ActionButton
                icon={ImageUp}
                label={user.avatar === null ? words.choosePicture : words.replacePicture}
                variant="default"
                loading={upload && isActive(upload)}
                {...button}
              />
            )}
          </FileButton>
          {user.avatar !== null && (
            <Button variant="subtle" color="gray" loading={removal.isPending} onClick={() => removal.mutate()}>
              {words.removePicture}
            </Button>
          )}
        </Group>
      </Group>
      {upload?.status === 'failed' && <ErrorNotice error={upload.error} />}
      {removal.error && <ErrorNotice error={removal.error} />}
    </>
  );
}
