import { Loader } from '@mantine/core';
import { Spotlight, type SpotlightActionData, type SpotlightActionGroupData } from '@mantine/spotlight';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import { Keyboard, LogOut, Search } from 'lucide-react';
import { ErrorText, notifyError } from '../ui/index.ts';
import { useThings } from './find-things.tsx';
import { keysDialog } from './keys.ts';
import { type Place, PLACES, useIsOffered } from './navigation.ts';
import { paletteStore } from './palette.ts';
import { signOut } from './session.ts';
import classes from './Navigation.module.css';
import { words } from './words.ts';

const LIST = 'palette-actions';

/** The command palette of Ctrl-K: screens, global actions, boards, personas, items of the library, tags and members. */
export function Palette() {
  const navigate = useNavigate();
  const isOffered = useIsOffered();
  const [text, setText] = useState('');
  const { groups: things, isSearching, error } = useThings(text);
  // Memoized, because new objects would reset the chosen action.
  const places = useMemo(
    () => groupsOf(PLACES.filter(isOffered), (to) => void navigate({ to })),
    [navigate, isOffered],
  );
  const groups = useMemo(() => [...places, ...things], [places, things]);
  useEffect(() => {
    if (things.length > 0) chooseFirst();
  }, [things]);
  return (
    <Spotlight
      store={paletteStore}
      scrollAreaProps={{ id: LIST }}
      actions={groups}
      query={text}
      onQueryChange={setText}
      shortcut={null}
      nothingFound={error ? <ErrorText error={error} /> : isSearching ? words.searching : words.noMatches}
      centered={false}
      classNames={{ content: classes.palette, actionsGroup: classes.paletteGroup, actionLabel: classes.paletteLabel }}
      scrollable
      attributes={{ content: { 'aria-label': words.find }, actionLabel: { dir: 'auto' } }}
      maxHeight={420}
      radius="lg"
      searchProps={{
        leftSection: <Search size={18} aria-hidden />,
        rightSection: isSearching && <Loader size={16} role="status" aria-label={words.searching} />,
        placeholder: words.search,
        'aria-label': words.search,
      }}
    />
  );
}

/** Chooses the first action. The palette does so when the text changes, but results arrive later. */
function chooseFirst(): void {
  const list = document.getElementById(LIST);
  if (!list || list.querySelector('[data-selected]')) return;
  list.querySelector('[data-action]')?.setAttribute('data-selected', 'true');
  paletteStore.updateState((state) => ({ ...state, selected: 0 }));
}

function groupsOf(offered: readonly Place[], go: (to: Place['to']) => void): SpotlightActionGroupData[] {
  const places = offered.map(({ to, label, icon: Icon }) => ({
    id: to,
    label,
    leftSection: <Icon size={18} strokeWidth={1.9} aria-hidden />,
    onClick: () => go(to),
  }));
  return [
    { group: words.goTo, actions: places },
    { group: words.actions, actions: ACTIONS },
  ];
}

const ACTIONS: SpotlightActionData[] = [
  {
    id: 'keys',
    label: words.keys,
    leftSection: <Keyboard size={18} aria-hidden />,
    onClick: () => keysDialog.set(true),
  },
  {
    id: 'sign-out',
    label: words.signOut,
    leftSection: <LogOut size={18} aria-hidden />,
    onClick: () => void signOut().catch(notifyError),
  },
];
