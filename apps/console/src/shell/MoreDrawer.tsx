import { Drawer } from '@mantine/core';
import { CreditsMeter } from './CreditsMeter.tsx';
import { BEHIND_MORE, useIsOffered } from './navigation.ts';
import { PlaceLink } from './PlaceLink.tsx';
import { words } from './words.ts';

/** The screens that the bar of a phone has no room for. */
export function MoreDrawer({ opened, onClose }: { readonly opened: boolean; readonly onClose: () => void }) {
  const isOffered = useIsOffered();
  return (
    <Drawer opened={opened} onClose={onClose} position="bottom" size="auto" title={words.more}>
      <nav aria-label={words.more}>
        {BEHIND_MORE.filter(isOffered).map((place) => (
          <PlaceLink key={place.to} place={place} onClick={onClose} />
        ))}
      </nav>
      <CreditsMeter />
    </Drawer>
  );
}
