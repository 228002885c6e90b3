import { useDebouncedValue } from '@mantine/hooks';
import type { SpotlightActionData, SpotlightActionGroupData } from '@mantine/spotlight';
import { keepPreviousData, type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Images, type LucideIcon, Tag, UserRound, UsersRound } from 'lucide-react';
import { useMemo } from 'react';
import {
  boardsListOptions,
  type LibraryItemDto,
  libraryListOptions,
  personasListOptions,
  tagsListOptions,
  teamMembersListOptions,
} from '../api/index.ts';
import { places } from '../places.ts';
import { MediaThumb, type StoredMedia } from '../ui/index.ts';
import { useMe } from './session.ts';
import classes from './Navigation.module.css';
import { words } from './words.ts';

const WAIT_MS = 200;
/** Maximum results of each kind. */
const SHOWN = 5;
/** Items of the library that are read: outputs of one prompt are shown once. */
const READ = 20;
/** Milliseconds for which results are not read again. */
const FRESH_MS = 15_000;
/** The longest text that is searched, and the longest tag. */
const LONGEST = 200;
const LONGEST_TAG = 64;

interface Thing {
  readonly id: number | string;
  readonly name: string;
  readonly media?: StoredMedia;
}

type Kind = 'boards' | 'personas' | 'library' | 'tags' | 'members';
const KINDS: readonly Kind[] = ['boards', 'personas', 'library', 'tags', 'members'];
const TITLES: Readonly<Record<Kind, string>> = {
  boards: places.boards,
  personas: places.personas,
  library: places.library,
  tags: words.tags,
  members: words.members,
};
const ICONS: Readonly<Record<Exclude<Kind, 'library'>, LucideIcon>> = {
  boards: Images,
  personas: UserRound,
  tags: Tag,
  members: UsersRound,
};

interface Found {
  readonly text: string;
  readonly things: readonly { readonly kind: Kind; readonly things: readonly Thing[] }[];
  /** Error of the first kind that could not be searched. */
  readonly error: unknown;
}

/**
 * Boards, personas, items of the library, tags and members that match the text, by one request for each kind. All kinds
 * appear at once, because a later result above the chosen action would move it.
 */
export function useThings(text: string) {
  const typed = text.trim().slice(0, LONGEST);
  const [wanted] = useDebouncedValue(typed, WAIT_MS);
  const queries = useQueryClient();
  const isTeam = useMe().workspace.is_team;
  const { data: found, isPlaceholderData } = useQuery({
    queryKey: ['find', wanted, isTeam],
    queryFn: () => find(queries, wanted, isTeam),
    enabled: wanted !== '',
    staleTime: FRESH_MS,
    placeholderData: keepPreviousData,
  });
  const open = useOpen();
  const groups = useMemo(() => (found && wanted !== '' ? groupsOf(found, open) : []), [found, wanted, open]);
  const isSearching = typed !== '' && (wanted !== typed || !found || isPlaceholderData);
  return { groups, isSearching, error: wanted === '' ? null : (found?.error ?? null) };
}

async function find(queries: QueryClient, text: string, isTeam: boolean): Promise<Found> {
  const searches: Readonly<Record<Kind, () => Promise<readonly Thing[]>>> = {
    boards: async () => {
      const { boards } = await queries.fetchQuery(boardsListOptions({ query: { q: text, limit: SHOWN } }));
      return boards;
    },
    personas: async () => {
      const { personas } = await queries.fetchQuery(personasListOptions({ query: { q: text, limit: SHOWN } }));
      return personas;
    },
    library: async () => {
      const { items } = await queries.fetchQuery(libraryListOptions({ query: { q: text, limit: READ } }));
      return onceForPrompt(items).map((item) => ({ id: item.file_id, name: item.name, media: item }));
    },
    tags: async () => {
      const query = { prefix: text.slice(0, LONGEST_TAG), limit: SHOWN };
      const { tags } = await queries.fetchQuery(tagsListOptions({ query }));
      return tags.map(({ tag }) => ({ id: tag, name: tag }));
    },
    members: async () => {
      if (!isTeam) return [];
      const { members } = await queries.fetchQuery(teamMembersListOptions());
      const people = members.map(({ user_id, name, email }) => ({ id: user_id, name: name || email, email }));
      return people.filter(({ name, email }) => `${name} ${email}`.toLowerCase().includes(text.toLowerCase()));
    },
  };
  const results = await Promise.allSettled(KINDS.map((kind) => searches[kind]()));
  return {
    text,
    things: results.flatMap((result, at) =>
      result.status === 'fulfilled' && result.value.length > 0
        ? [{ kind: KINDS[at]!, things: result.value.slice(0, SHOWN) }]
        : [],
    ),
    error: results.find((result) => result.status === 'rejected')?.reason ?? null,
  };
}

function groupsOf({ text, things }: Found, open: Open): SpotlightActionGroupData[] {
  return things.map(({ kind, things: each }) => ({
    group: TITLES[kind],
    actions: each.map((thing) => actionOf(kind, thing, text, () => open(kind, thing, text))),
  }));
}

function actionOf(kind: Kind, { id, name, media }: Thing, text: string, onClick: () => void): SpotlightActionData {
  const Icon = kind === 'library' ? null : ICONS[kind];
  return {
    id: `${kind} ${id}`,
    label: name,
    // The palette shows what contains the text. Results may be like it, and contain it in another field.
    keywords: text,
    leftSection: Icon ? (
      <Icon size={18} strokeWidth={1.9} aria-hidden />
    ) : (
      <span className={classes.paletteThumb}>{media && <MediaThumb media={media} alt="" width={36} />}</span>
    ),
    dimmedSections: kind !== 'library',
    onClick,
  };
}

type Open = (kind: Kind, thing: Thing, text: string) => void;

/** Opens a thing. An item of the library opens among the results of the same search. */
function useOpen(): Open {
  const navigate = useNavigate();
  return useMemo(
    () =>
      (kind, { id }, text) => {
        const ways = {
          boards: { to: '/boards/$boardId', params: { boardId: String(id) } },
          personas: { to: '/personas/$personaId', params: { personaId: String(id) } },
          library: { to: '/library', search: { q: text, open: id } },
          tags: { to: '/library', search: { tags: id } },
          members: { to: '/library', search: { member: id } },
        };
        void navigate(ways[kind] as object);
      },
    [navigate],
  );
}

/** The first item of each prompt: a call may have made several. */
function onceForPrompt(items: readonly LibraryItemDto[]): readonly LibraryItemDto[] {
  const textOf = ({ prompt, name }: LibraryItemDto) => prompt ?? name;
  return items.filter((item, at) => items.findIndex((each) => textOf(each) === textOf(item)) === at);
}
