import { Group, Modal, Select, Stack, Tabs, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type SyntheticEvent, useState } from 'react';
import {
  boardsListOptions,
  boardsMediaListInfiniteOptions,
  generationsListInfiniteOptions,
  personasFilesListInfiniteOptions,
  personasListOptions,
  type PersonaSummaryDto,
  usePages,
} from '../../api/index.ts';
import { fileName } from '../../text.ts';
import { ActionButton } from '../ActionButton.tsx';
import { EmptyState } from '../EmptyState.tsx';
import { isSameFile } from '../../file-url.ts';
import { usePersonaNames } from '../persona-names.ts';
import { QueryState } from '../QueryState.tsx';
import { useIsPhone } from '../use-is-phone.ts';
import { words } from '../words.ts';
import type { PickedMedia, PickTabProps } from './picked-media.ts';
import { PickGrid } from './PickGrid.tsx';

interface MediaPickerProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** Called once with the chosen media, at least one, in the order of choice. */
  readonly onPick: (picked: readonly PickedMedia[]) => void;
  /** Maximum chosen media; with 1 the first choice closes the dialog. */
  readonly most?: number;
  readonly accept?: 'pictures' | 'all';
  /** The persona whose files are shown first. */
  readonly personaId?: number | null;
}

const TABS = [
  ['generated', GeneratedTab],
  ['boards', BoardTab],
  ['personas', PersonaTab],
  ['address', AddressTab],
] as const;

/** Chooses stored media (outputs, media of boards, files of personas) or a web address. */
export function MediaPicker({ opened, onClose, title, ...pick }: MediaPickerProps) {
  const isPhone = useIsPhone();
  return (
    <Modal opened={opened} onClose={onClose} title={title} size={760} fullScreen={isPhone}>
      <Choice onClose={onClose} {...pick} />
    </Modal>
  );
}

type ChoiceProps = Omit<MediaPickerProps, 'opened' | 'title'>;

function Choice({ onClose, onPick, most = 1, accept = 'pictures', personaId = null }: ChoiceProps) {
  const [chosen, setChosen] = useState<readonly PickedMedia[]>([]);
  const finish = (picked: readonly PickedMedia[]) => {
    onPick(picked);
    onClose();
  };
  const isFull = chosen.length >= most;
  const choose = (media: PickedMedia) => {
    if (most === 1) return finish([media]);
    const others = chosen.filter(({ url }) => !isSameFile(url, media.url));
    if (others.length < chosen.length) setChosen(others);
    else if (!isFull) setChosen([...chosen, media]);
  };
  const tab: PickTabProps = { chosen, isFull, onChoose: choose, accept, personaId };
  return (
    <>
      <Tabs defaultValue="generated" keepMounted={false}>
        <Tabs.List mb="md">
          {TABS.map(([name]) => (
            <Tabs.Tab key={name} value={name} px={{ base: 10, sm: 'md' }}>
              {words.picker[name]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {TABS.map(([name, Tab]) => (
          <Tabs.Panel key={name} value={name}>
            <Tab {...tab} />
          </Tabs.Panel>
        ))}
      </Tabs>
      {most > 1 && (
        <Group justify="space-between" mt="md">
          <Text size="sm" fw={isFull ? 600 : undefined} c={isFull ? undefined : 'dimmed'} aria-live="polite" flex={1}>
            {isFull ? words.picker.full(most) : words.picker.chosen(chosen.length, most)}
          </Text>
          <ActionButton label={words.picker.use} disabled={chosen.length === 0} onClick={() => finish(chosen)} />
        </Group>
      )}
    </>
  );
}

function GeneratedTab(props: PickTabProps) {
  const options = generationsListInfiniteOptions({ query: { limit: 50 } });
  const { list, items } = usePages(options, ({ generations }) =>
    generations.flatMap(({ outputs, prompt, id }): PickedMedia[] =>
      outputs.map((output) => ({
        ...output,
        name: prompt || words.picker.output(id),
        output: { generation_id: id, output: output.index },
      })),
    ),
  );
  return <PickGrid {...props} media={items} list={list} />;
}

/** A picture at a web address, which the service fetches. */
function AddressTab({ isFull, onChoose }: PickTabProps) {
  const [url, setUrl] = useState('');
  const isUrl = /^https?:\/\/\S+$/i.test(url.trim()) && URL.canParse(url.trim());
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    event.stopPropagation();
    if (!isUrl || isFull) return;
    onChoose({ url: url.trim(), content_type: null, name: url.trim() });
    setUrl('');
  };
  return (
    <form onSubmit={submit}>
      <Group align="flex-end">
        <TextInput
          flex={1}
          miw={200}
          type="url"
          label={words.picker.addressLabel}
          description={words.picker.addressHint}
          placeholder="https://"
          value={url}
          onChange={(event) => setUrl(event.target.value)}
        />
        <ActionButton type="submit" label={words.picker.use} disabled={!isUrl || isFull} />
      </Group>
    </form>
  );
}

/** Media of one board. */
function BoardTab(props: PickTabProps) {
  const boards = useQuery(boardsListOptions());
  const [chosen, choose] = useState<string | null>(null);
  if (!boards.data) return <QueryState query={boards} rows={3} height={110} />;
  const all = boards.data.boards;
  const first = all.find(({ media_count }) => media_count > 0) ?? all[0];
  if (!first) return <EmptyState title={words.picker.noBoards} hint={words.picker.emptyHint} />;
  const id = chosen ?? String(first.id);
  return (
    <Stack gap="sm">
      <Select
        searchable
        label={words.picker.board}
        allowDeselect={false}
        data={all.map((board) => ({ value: String(board.id), label: board.name }))}
        value={id}
        onChange={choose}
      />
      <MediaOfBoard key={id} boardId={Number(id)} {...props} />
    </Stack>
  );
}

function MediaOfBoard({ boardId, ...props }: PickTabProps & { readonly boardId: number }) {
  const options = boardsMediaListInfiniteOptions({ path: { board_id: boardId }, query: { limit: 100 } });
  const { list, items } = usePages(options, ({ media }) =>
    media.flatMap(({ url, ...facts }): PickedMedia[] => (url === null ? [] : [{ ...facts, url, name: fileName(url) }])),
  );
  return <PickGrid {...props} media={items} list={list} />;
}

const NONE: readonly PersonaSummaryDto[] = [];

/** Files of one persona: uploads and outputs. */
function PersonaTab(props: PickTabProps) {
  const personas = useQuery(personasListOptions());
  const nameOf = usePersonaNames(personas.data?.personas ?? NONE);
  const [chosen, choose] = useState<string | null>(null);
  if (!personas.isSuccess) return <QueryState query={personas} rows={3} height={110} />;
  const all = personas.data.personas;
  const first = all.find(({ id }) => id === props.personaId) ?? all[0];
  if (!first) return <EmptyState title={words.picker.noPersonas} hint={words.picker.emptyHint} />;
  const id = chosen ?? String(first.id);
  return (
    <Stack gap="sm">
      <Select
        searchable
        label={words.picker.persona}
        allowDeselect={false}
        data={all.map((persona) => ({ value: String(persona.id), label: nameOf(persona) }))}
        value={id}
        onChange={choose}
      />
      <FilesOfPersona key={id} id={Number(id)} {...props} />
    </Stack>
  );
}

function FilesOfPersona({ id, ...props }: PickTabProps & { readonly id: number }) {
  const options = personasFilesListInfiniteOptions({ path: { persona_id: id }, query: { limit: 100 } });
  const { list, items } = usePages(options, ({ files }) =>
    files.map(({ filename: name, url, content_type, expires_at }): PickedMedia => {
      return { url, content_type, name, expires_at };
    }),
  );
  return <PickGrid {...props} media={items} list={list} />;
}
