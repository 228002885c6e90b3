import { Avatar, Button, Group, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Heart, Plus, UserRound } from 'lucide-react';
import { personasListInfiniteOptions, type PersonaSummaryDto, usePages } from '../../api/index.ts';
import {
  ActionButton,
  EmptyState,
  Hint,
  initialOf,
  NextPageError,
  notifyDone,
  Page,
  QueryState,
  SearchField,
  Section,
  useListState,
  useNextPage,
  usePersonaNames,
  VirtualList,
  When,
} from '../../ui/index.ts';
import { PersonaForm } from './PersonaForm.tsx';
import classes from './PersonasPage.module.css';
import { words } from './words.ts';

/** The state in the URL: the search, and whether the form of a new persona is open. */
const ABSENT = { q: '', new: false };
const TYPING_MS = 200;
const NONE: readonly PersonaSummaryDto[] = [];

/** The personas of the workspace, newest first. */
export function PersonasPage() {
  const [state, change] = useListState(ABSENT);
  const navigate = useNavigate();
  const create = () => change({ new: true }, { push: true });
  return (
    <Page
      title={words.title}
      hint={words.hint}
      actions={<ActionButton icon={Plus} label={words.create} onClick={create} />}
    >
      <SearchField label={words.search} value={state.q} onChange={(q) => change({ q })} />
      <Results search={state.q} onCreate={create} onClear={() => change({ q: '' })} />
      <PersonaForm
        opened={state.new}
        onClose={() => change({ new: false })}
        name={state.q}
        onSaved={({ id, name }) => {
          notifyDone(words.created(name));
          void navigate({ to: '/personas/$personaId', params: { personaId: String(id) } });
        }}
      />
    </Page>
  );
}

interface ResultsProps {
  readonly search: string;
  readonly onCreate: () => void;
  readonly onClear: () => void;
}

function Results({ search, onCreate, onClear }: ResultsProps) {
  const [wanted] = useDebouncedValue(search, TYPING_MS);
  const options = personasListInfiniteOptions({ query: { limit: 50, q: wanted || undefined } });
  const { list, items: personas } = usePages(
    { ...options, placeholderData: keepPreviousData },
    (page) => page.personas,
  );
  const onEnd = useNextPage(list);
  const nameOf = usePersonaNames(personas ?? NONE);
  if (!personas) return <QueryState query={list} rows={6} height={68} />;
  if (personas.length === 0) return <Nothing search={search} onCreate={onCreate} onClear={onClear} />;
  return (
    <Section>
      <VirtualList items={personas} label={words.list} keyOf={({ id }) => id} rowHeight={73} line="below" onEnd={onEnd}>
        {(persona) => <PersonaRow persona={persona} name={nameOf(persona)} />}
      </VirtualList>
      <NextPageError query={list} />
    </Section>
  );
}

function Nothing({ search, onCreate, onClear }: ResultsProps) {
  const { empty, emptyHint, noMatches, noMatchesHint, create, clearSearch } = words;
  return (
    <EmptyState
      icon={UserRound}
      title={search ? noMatches(search) : empty}
      hint={search ? noMatchesHint : emptyHint}
      action={
        <Group gap="xs">
          {search && <ActionButton label={clearSearch} variant="default" onClick={onClear} />}
          <Button onClick={onCreate}>{create}</Button>
        </Group>
      }
    />
  );
}

function PersonaRow({ persona, name }: { readonly persona: PersonaSummaryDto; readonly name: string }) {
  const { id, title, profession, slots_filled, likes_count, updated_at } = persona;
  const about = [title, profession].filter(Boolean).join(' · ');
  return (
    <Link to="/personas/$personaId" params={{ personaId: String(id) }} className={classes.row}>
      <Avatar radius="md" size={44} classNames={{ placeholder: classes.initial }} aria-hidden>
        {initialOf(name)}
      </Avatar>
      <div style={{ minWidth: 0 }}>
        <Text fw={600} truncate dir="auto" ta="left" title={name}>
          {name}
        </Text>
        {about && (
          <Hint truncate dir="auto" ta="left">
            {about}
          </Hint>
        )}
      </div>
      <Slots filled={slots_filled} />
      <span className={classes.likes} aria-label={words.likes(likes_count)} role="img">
        <Heart size={15} aria-hidden /> {likes_count}
      </span>
      <Hint className={classes.when}>
        <When at={updated_at} />
      </Hint>
    </Link>
  );
}

/** Seven marks, one filled for each filled slot. */
function Slots({ filled }: { readonly filled: number }) {
  return (
    <span className={classes.slots} role="img" aria-label={words.slotsFilled(filled)}>
      {Array.from({ length: 7 }, (_, at) => (
        <span key={at} data-filled={at < filled || undefined} />
      ))}
    </span>
  );
}
