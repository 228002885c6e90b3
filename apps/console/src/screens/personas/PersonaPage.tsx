import { Anchor, Menu, Tabs, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { ChevronLeft, Ellipsis, Pencil, Sparkles, Trash2, UserRoundX } from 'lucide-react';
import { useMemo } from 'react';
import { type PersonaDto, personasGetOptions, personasGetQueryKey, refresh, x12, X12Error } from '../../api/index.ts';
import { shellWords, useDeletionNotice } from '../../shell/index.ts';
import { useShown } from '../../state/index.ts';
import {
  ActionButton,
  ActionMenuItem,
  EmptyPage,
  IconButton,
  number,
  Page,
  QueryState,
  Section,
  useListState,
  useRecordDialogs,
} from '../../ui/index.ts';
import { useDropAnywhere } from '../../uploads/index.ts';
import { FilesPanel, useFiles } from './FilesPanel.tsx';
import { GenerationsPanel } from './GenerationsPanel.tsx';
import { LikesPanel, type PanelProps } from './LikesPanel.tsx';
import { personaChanges, PersonaPictures } from './persona-pictures.ts';
import { PersonaForm } from './PersonaForm.tsx';
import classes from './PersonaPage.module.css';
import { PersonaViewer } from './PersonaViewer.tsx';
import { SlotBoard } from './SlotBoard.tsx';
import { StylesPanel } from './StylesPanel.tsx';
import { words } from './words.ts';

/** The state in the URL: the tab of the library, and the open picture. */
const ABSENT = { tab: 'likes', open: '' };

/** A persona: its slots, likes, files and generations. */
export function PersonaPage() {
  const { personaId = '' } = useParams({ strict: false });
  const query = usePersona(Number(personaId));
  const { persona, error } = query;
  if (persona) return <PersonaScreen key={persona.id} persona={persona} />;
  if (error instanceof X12Error && ['not_found', 'validation_failed'].includes(error.code)) return <NotThere />;
  return (
    <Page title={words.title}>
      <QueryState query={query} rows={3} height={180} />
    </Page>
  );
}

function NotThere() {
  return (
    <EmptyPage
      icon={UserRoundX}
      title={words.notFound}
      hint={words.notFoundHint}
      action={<ActionButton component={Link} label={words.toAll} to="/personas" />}
    />
  );
}

function PersonaScreen({ persona }: { readonly persona: PersonaDto }) {
  const pictures = usePictures(persona);
  const [{ tab, open }, change] = useListState(ABSENT);
  const look = (id: string | number | null) => change({ open: id === null ? '' : String(id) }, { push: open === '' });
  const { name, title, profession, knows } = persona;
  const label = words.dropToLikes(name);
  useDropAnywhere(useMemo(() => ({ label, onFiles: (files: File[]) => pictures.likeFiles(files) }), [label, pictures]));
  return (
    <div>
      <Anchor component={Link} to="/personas" size="sm" className={classes.back}>
        <ChevronLeft size={16} aria-hidden /> {words.toAll}
      </Anchor>
      <Page
        title={name}
        hint={[title, profession].filter(Boolean).join(' · ') || undefined}
        actions={<Actions persona={persona} />}
      >
        {knows && (
          <Text size="sm" lineClamp={4} dir="auto" maw="75ch" style={{ whiteSpace: 'pre-line' }}>
            {knows}
          </Text>
        )}
        <div className={classes.columns}>
          <div className={classes.slots}>
            <SlotBoard persona={persona} pictures={pictures} onLook={look} />
            <StylesPanel persona={persona} />
          </div>
          <Library
            persona={persona}
            pictures={pictures}
            tab={tab}
            onTab={(next) => change({ tab: next })}
            onLook={look}
          />
        </div>
        <PersonaViewer persona={persona} pictures={pictures} openId={open} onOpen={look} />
      </Page>
    </div>
  );
}

function Actions({ persona }: { readonly persona: PersonaDto }) {
  const [isEditing, editing] = useDisclosure(false);
  const { ask, dialogs } = useRecordDialogs();
  const deletePersona = useDeletion(persona);
  const askToDelete = () => {
    const what = <DeletionSummary persona={persona} />;
    ask({ title: words.deleteTitle, what, action: words.deleteAction, typed: persona.name }, deletePersona);
  };
  return (
    <>
      <ActionButton
        component={Link}
        icon={Sparkles}
        label={words.generate}
        to="/generate"
        search={{ pid: persona.id } as never}
      />
      <ActionButton icon={Pencil} iconSize={15} label={words.edit} variant="default" onClick={editing.open} />
      <Menu>
        <Menu.Target>
          <IconButton icon={Ellipsis} iconSize={18} label={words.more} variant="default" size={36} />
        </Menu.Target>
        <Menu.Dropdown>
          <ActionMenuItem icon={Trash2} label={words.delete} color="red" onClick={askToDelete} />
        </Menu.Dropdown>
      </Menu>
      <PersonaForm opened={isEditing} onClose={editing.close} persona={persona} onSaved={editing.close} />
      {dialogs}
    </>
  );
}

/** How often the persona is read again while pictures are being copied. */
const POLL_MS = 1500;

/** A persona, read again while a picture is being copied. */
function usePersona(id: number) {
  const query = useQuery({
    ...personasGetOptions({ path: { persona_id: id } }),
    refetchInterval: ({ state }) => (isCopying(state.data?.persona) ? POLL_MS : false),
  });
  return { ...query, persona: useShown(personaChanges, query.data)?.persona };
}

function isCopying(persona: PersonaDto | undefined): boolean {
  return persona?.trainings.some(({ state }) => state === 'created') ?? false;
}

/** The changes of the pictures of a persona. */
function usePictures({ id, name }: Pick<PersonaDto, 'id' | 'name'>): PersonaPictures {
  const queries = useQueryClient();
  return useMemo(() => new PersonaPictures(id, name, queries), [id, name, queries]);
}

interface LibraryProps extends PanelProps {
  readonly tab: string;
  readonly onTab: (tab: string) => void;
}

/** The likes, files and generations of a persona. */
function Library({ tab, onTab, ...panel }: LibraryProps) {
  const { likes, files, generations } = words.tabs;
  const { likes_count, generations_count } = panel.persona;
  return (
    <Section>
      <Tabs value={tab} onChange={(next) => onTab(next ?? 'likes')} keepMounted={false} aria-label={words.library}>
        <Tabs.List mb="md">
          <Tabs.Tab value="likes">{`${likes} ${number(likes_count)}`}</Tabs.Tab>
          <Tabs.Tab value="files">{files}</Tabs.Tab>
          <Tabs.Tab value="generations">{`${generations} ${number(generations_count)}`}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="likes">
          <LikesPanel {...panel} />
        </Tabs.Panel>
        <Tabs.Panel value="files">
          <FilesPanel {...panel} />
        </Tabs.Panel>
        <Tabs.Panel value="generations">
          <GenerationsPanel {...panel} />
        </Tabs.Panel>
      </Tabs>
    </Section>
  );
}

/** Deletes a persona, and leaves its page. */
function useDeletion({ id: persona_id, name }: PersonaDto) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const notifyDeleted = useDeletionNotice();
  return async () => {
    await x12.personas.delete({ persona_id });
    await notifyDeleted(words.deleted(name), 'persona', persona_id);
    void navigate({ to: '/personas' });
    queries.removeQueries({ queryKey: personasGetQueryKey({ path: { persona_id } }) });
    void refresh(queries, 'personas', 'trash');
  };
}

function DeletionSummary({ persona }: { readonly persona: PersonaDto }) {
  const { list, items: files } = useFiles(persona.id);
  const permanent = files?.filter(({ temporary }) => !temporary).length;
  const known = permanent === undefined || list.hasNextPage ? null : words.deletesFiles(number(permanent));
  const pictures = words.deletesPictures(persona.trainings_count);
  return `${words.deletes(pictures, known ?? words.deletesAll)} ${shellWords.trashKeeps}`;
}
