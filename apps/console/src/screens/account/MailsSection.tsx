import { Select, SimpleGrid } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { inboxSettingsGetOptions, type InboxSettingsDto, x12 } from '../../api/index.ts';
import { ErrorNotice, notifyDone, QueryState } from '../../ui/index.ts';
import { Setting } from './Setting.tsx';
import { words } from './words.ts';

type Kind = keyof InboxSettingsDto;

const KINDS = Object.keys(words.mailKinds) as readonly Kind[];
const TIMES = Object.entries(words.mailTimes).map(([value, label]) => ({ value, label }));
const settingsQuery = inboxSettingsGetOptions();

/** When entries of the inbox are mailed, by kind. */
export function MailsSection() {
  const queries = useQueryClient();
  const settings = useQuery(settingsQuery);
  const saving = useMutation({
    mutationFn: (change: Partial<InboxSettingsDto>) => x12.inbox.settings.update(change),
    onSuccess: (saved) => {
      queries.setQueryData(settingsQuery.queryKey, saved);
      notifyDone(words.mailsSaved);
    },
  });
  const shown = settings.data && { ...settings.data.settings, ...(saving.isPending ? saving.variables : {}) };
  return (
    <Setting title={words.mails} hint={words.mailsHint}>
      <QueryState query={settings} rows={4} height={60} />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {shown &&
          KINDS.map((kind) => (
            <Select
              key={kind}
              label={words.mailKinds[kind]}
              data={TIMES}
              value={shown[kind]}
              allowDeselect={false}
              onChange={(time) => saving.mutate({ [kind]: time as InboxSettingsDto[Kind] })}
            />
          ))}
      </SimpleGrid>
      {saving.error && <ErrorNotice error={saving.error} />}
    </Setting>
  );
}
