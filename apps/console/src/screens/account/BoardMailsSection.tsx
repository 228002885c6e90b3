import { Switch } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useMe } from '../../shell/index.ts';
import { ErrorNotice } from '../../ui/index.ts';
import { words } from '../../words.ts';
import { useAccount } from './account-queries.ts';
import { Setting } from './Setting.tsx';

const said = words.account;

export function BoardMailsSection() {
  const { user } = useMe();
  const { saveBoardMails } = useAccount();
  const saving = useMutation({ mutationFn: saveBoardMails });
  return (
    <Setting title={said.boardMails} hint={said.boardMailsHint}>
      <Switch
        label={said.boardMailsOn}
        checked={saving.isPending ? saving.variables : user.review_mails}
        onChange={(event) => saving.mutate(event.currentTarget.checked)}
      />
      {saving.error && <ErrorNotice error={saving.error} />}
    </Setting>
  );
}
