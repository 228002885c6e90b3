import { Switch } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useMe } from '../../shell/index.ts';
import { ErrorNotice } from '../../ui/index.ts';
import { useAccount } from './account-queries.ts';
import { Setting } from './Setting.tsx';
import { words } from './words.ts';

export function BoardMailsSection() {
  const { user } = useMe();
  const { saveBoardMails } = useAccount();
  const saving = useMutation({ mutationFn: saveBoardMails });
  return (
    <Setting title={words.boardMails} hint={words.boardMailsHint}>
      <Switch
        label={words.boardMailsOn}
        checked={saving.isPending ? saving.variables : user.review_mails}
        onChange={(event) => saving.mutate(event.currentTarget.checked)}
      />
      {saving.error && <ErrorNotice error={saving.error} />}
    </Setting>
  );
}
