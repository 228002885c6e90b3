import { Spotlight, type SpotlightActionData, type SpotlightActionGroupData } from '@mantine/spotlight';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { Keyboard, LogOut, Search } from 'lucide-react';
import { notifyError } from '../ui/index.ts';
import { words } from '../words.ts';
import { keysDialog } from './keys.ts';
import { type Place, PLACES, useIsOffered } from './navigation.ts';
import { signOut } from './session.ts';
import classes from './Navigation.module.css';

/** The palette of Ctrl-K: every screen, and what can be done from anywhere. */
export function Palette() {
  const navigate = useNavigate();
  const isOffered = useIsOffered();
  // Made once: with new ones, the chosen action would no longer be chosen.
  const groups = useMemo(
    () => groupsOf(PLACES.filter(isOffered), (to) => void navigate({ to })),
    [navigate, isOffered],
  );
  return (
    <Spotlight
      actions={groups}
      shortcut="mod + K"
      nothingFound={words.shell.noMatches}
      centered={false}
      classNames={{ content: classes.palette, actionsGroup: classes.paletteGroup }}
      scrollable
      attributes={{ content: { 'aria-label': words.shell.find } }}
      maxHeight={420}
      radius="lg"
      searchProps={{
        leftSection: <Search size={18} aria-hidden />,
        placeholder: words.shell.search,
        'aria-label': words.shell.search,
      }}
    />
  );
}

function groupsOf(offered: readonly Place[], go: (to: Place['to']) => void): SpotlightActionGroupData[] {
  const places = offered.map(({ to, label, icon: Icon }) => ({
    id: to,
    label,
    leftSection: <Icon size={18} strokeWidth={1.9} aria-hidden />,
    onClick: () => go(to),
  }));
  return [
    { group: words.shell.goTo, actions: places },
    { group: words.shell.actions, actions: ACTIONS },
  ];
}

const ACTIONS: SpotlightActionData[] = [
  { id: 'keys', label: words.shell.keys, leftSection: <Keyboard size={18} aria-hidden />, onClick: keysDialog.open },
  {
    id: 'sign-out',
    label: words.shell.signOut,
    leftSection: <LogOut size={18} aria-hidden />,
    onClick: () => void signOut().catch((error: unknown) => notifyError(error)),
  },
];
