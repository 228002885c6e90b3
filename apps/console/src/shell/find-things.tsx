import { useDebouncedValue } from '@mantine/hooks';
import type { SpotlightActionGroupData } from '@mantine/spotlight';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Images, Sparkles, UserRound } from 'lucide-react';
import { useMemo } from 'react';
import { boardsListOptions, generationsListOptions, personasListOptions } from '../api/index.ts';
import { words } from '../words.ts';

const WAIT_MS = 200;
/** Maximum results of each kind. */
const SHOWN = 5;
/** The number of newest generations whose prompts are searched. */
const RECENT = 200;

interface Thing {
  readonly id: number;
  readonly name: string;
}

/** Boards, personas and recent generations whose name or prompt contains the text. */
export function useThings(text: string) {
  const [wanted] = useDebouncedValue(text.trim(), WAIT_MS);
  const asked = { enabled: wanted !== '', placeholderData: keepPreviousData };
  const boards = useQuery({ ...boardsListOptions({ query: { q: wanted, limit: SHOWN } }), ...asked });
  const personas = useQuery({ ...personasListOptions(), ...asked });
  const generations = useQuery({ ...generationsListOptions({ query: { limit: RECENT } }), ...asked });

  const all = [boards, personas, generations];
  // All kinds at once, because a later result above the chosen action would move it.
  const isReady = all.every(({ data, error }) => data || error);
  const navigate = useNavigate();
  const groups = useMemo((): readonly SpotlightActionGroupData[] => {
    if (wanted === '' || !isReady) return [];
    const prompts = (generations.data?.generations ?? []).map(({ id, prompt }) => ({ id, name: prompt ?? '' }));
    const openBoard = (id: number) => navigate({ to: '/boards/$boardId', params: { boardId: String(id) } });
    const openPersona = (id: number) => navigate({ to: '/personas/$personaId', params: { personaId: String(id) } });
    const openGeneration = (id: number) => navigate({ to: '/history', search: { open: id } as never });
    return [
      groupOf(words.boards.title, Images, named(boards.data?.boards ?? [], wanted), openBoard),
      groupOf(words.personas.title, UserRound, named(personas.data?.personas ?? [], wanted), openPersona),
      groupOf(words.shell.prompts, Sparkles, named(unique(prompts), wanted), openGeneration),
    ].filter(({ actions }) => actions.length > 0);
  }, [wanted, isReady, boards.data, personas.data, generations.data, navigate]);

  return {
    groups,
    isSearching: text.trim() !== '' && (wanted !== text.trim() || !isReady),
    error: wanted === '' ? null : (all.find(({ error }) => error)?.error ?? null),
  };
}

function groupOf(group: string, Icon: typeof Images, things: readonly Thing[], open: (id: number) => Promise<void>) {
  const actions = things.map(({ id, name }) => ({
    id: `${group} ${id}`,
    label: name,
    leftSection: <Icon size={18} strokeWidth={1.9} aria-hidden />,
    onClick: () => void open(id),
  }));
  return { group, actions };
}

function named(things: readonly Thing[], wanted: string): readonly Thing[] {
  const text = wanted.toLowerCase();
  return things.filter(({ name }) => name.toLowerCase().includes(text)).slice(0, SHOWN);
}

/** The newest generation of each prompt. */
function unique(prompts: readonly Thing[]): readonly Thing[] {
  const newest = new Map([...prompts].reverse().map((each) => [each.name, each]));
  return [...newest.values()].reverse();
}
