import { Anchor, Menu, Text } from '@mantine/core';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { ChevronLeft, Ellipsis, Pencil, Sparkles, Trash2, UserRoundX } from 'lucide-react';
import { useMemo, useState } from 'react';
import { type PersonaDto, X12Error } from '../../api/index.ts';
import { ActionButton, ActionMenuItem, EmptyPage, IconButton, Page, QueryState, useListState } from '../../ui/index.ts';
import { useDropAnywhere } from '../../uploads/index.ts';
import { DeletePersona } from './DeletePersona.tsx';
import { Library } from './Library.tsx';
import { PersonaForm } from './PersonaForm.tsx';
import { PersonaViewer } from './PersonaViewer.tsx';
import { SlotBoard } from './SlotBoard.tsx';
import { StylesPanel } from './StylesPanel.tsx';
import { usePersona, usePictures } from './use-persona.ts';
import classes from './PersonaPage.module.css';
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
          <Text size="sm" lineClamp={4} dir="auto" className={classes.knows}>
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
  const [asked, ask] = useState<'edit' | 'delete' | null>(null);
  const navigate = useNavigate();
  const close = () => ask(null);
  return (
    <>
      <ActionButton
        component={Link}
        icon={Sparkles}
        label={words.generate}
        to="/generate"
        search={{ pid: persona.id } as never}
      />
      <ActionButton icon={Pencil} iconSize={15} label={words.edit} variant="default" onClick={() => ask('edit')} />
      <Menu position="bottom-end">
        <Menu.Target>
          <IconButton icon={Ellipsis} iconSize={18} label={words.more} variant="default" size={36} />
        </Menu.Target>
        <Menu.Dropdown>
          <ActionMenuItem icon={Trash2} label={words.delete} color="red" onClick={() => ask('delete')} />
        </Menu.Dropdown>
      </Menu>
      <PersonaForm opened={asked === 'edit'} onClose={close} persona={persona} onSaved={close} />
      <DeletePersona
        opened={asked === 'delete'}
        onClose={close}
        persona={persona}
        onDeleted={() => void navigate({ to: '/personas' })}
      />
    </>
  );
}
