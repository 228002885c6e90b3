import { ActionIcon, Button, Group, Popover, Stack, Text, TextInput, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Bookmark, Trash2 } from 'lucide-react';
import { type SyntheticEvent, useState } from 'react';
import { fieldProblem, refresh, type SavedSearchDto, searchesListQueryKey, x12 } from '../api/index.ts';
import { ErrorNotice, notifyDone, notifyError, offerUndo } from '../ui/index.ts';
import { type LibraryState, queryOf, stateOf } from './library-query.ts';
import { words } from './words.ts';

const text = words.searches;

/** The size of a page: the maximum of the service. */
const PAGE = 200;

interface SavedSearchesProps {
  readonly state: LibraryState;
  readonly onOpen: (state: LibraryState) => void;
}

/** The searches of the workspace: opens one, saves the current one. */
export function SavedSearches({ state, onOpen }: SavedSearchesProps) {
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const query = queryOf(state);
  return (
    <Popover opened={isOpen} onClose={close} width={320} position="bottom-end" trapFocus withinPortal>
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<Bookmark size={16} aria-hidden />}
          aria-expanded={isOpen}
          aria-haspopup="dialog"
          aria-label={text.title}
          onClick={toggle}
        >
          {text.short}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={text.title}>
        <Stack gap="sm">
          <Searches
            onOpen={(search) => {
              onOpen(stateOf(search.filter));
              close();
            }}
          />
          {Object.keys(query).length > 0 && <SaveForm query={query} onSaved={close} />}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

/** The searches of all pages. */
async function readSearches(): Promise<readonly SavedSearchDto[]> {
  const searches: SavedSearchDto[] = [];
  for await (const search of x12.searches.list({ limit: PAGE })) searches.push(search);
  return searches;
}

function Searches({ onOpen }: { readonly onOpen: (search: SavedSearchDto) => void }) {
  const { data, error, refetch } = useQuery({ queryKey: searchesListQueryKey(), queryFn: readSearches });
  const queries = useQueryClient();
  if (error && !data) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (data?.length === 0) return <Text size="sm" c="dimmed" children={text.none} />;
  const remove = async ({ id, name, filter }: SavedSearchDto) => {
    await x12.searches.delete({ id });
    void refresh(queries, 'searches');
    offerUndo(text.deleted(name), async () => {
      await x12.searches.create({ name, ...filter });
      await refresh(queries, 'searches');
    });
  };
  return (
    <Stack gap={2} role="list">
      {data?.map((search) => (
        <Group key={search.id} role="listitem" justify="space-between" wrap="nowrap">
          <UnstyledButton flex={1} py={6} onClick={() => onOpen(search)}>
            <Text size="sm" fw={560} dir="auto" truncate>
              {search.name}
            </Text>
          </UnstyledButton>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={text.delete(search.name)}
            onClick={() => void remove(search).catch(notifyError)}
          >
            <Trash2 size={16} aria-hidden />
          </ActionIcon>
        </Group>
      ))}
    </Stack>
  );
}

interface SaveFormProps {
  readonly query: ReturnType<typeof queryOf>;
  readonly onSaved: () => void;
}

function SaveForm({ query, onSaved }: SaveFormProps) {
  const [name, setName] = useState('');
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: () => x12.searches.create({ name, ...query }),
    onSuccess: () => {
      void refresh(queries, 'searches');
      notifyDone(text.saved(name));
      onSaved();
    },
  });
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    save.mutate();
  };
  const problem = fieldProblem(save.error, 'name', text.name);
  return (
    <form onSubmit={submit}>
      <Stack gap="xs">
        <TextInput
          required
          label={text.name}
          maxLength={100}
          value={name}
          error={problem}
          onChange={(event) => setName(event.target.value)}
        />
        {save.error && !problem && <ErrorNotice error={save.error} />}
        <Button type="submit" variant="light" loading={save.isPending}>
          {text.save}
        </Button>
      </Stack>
    </form>
  );
}
