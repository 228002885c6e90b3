import { UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Ellipsis, Search } from 'lucide-react';
import { IconButton, later } from '../ui/index.ts';
import { AccountMenu } from './AccountMenu.tsx';
import { Brand } from './Brand.tsx';
import { BAR, INBOX } from './navigation.ts';
import { palette } from './palette.ts';
import { PlaceLink } from './PlaceLink.tsx';
import classes from './Navigation.module.css';
import { words } from './words.ts';

const MoreDrawer = later('opened', async () => (await import('./MoreDrawer.tsx')).MoreDrawer);

/** The bar at the top of a phone. */
export function TopBar() {
  return (
    <section className={classes.top} aria-label={words.bar}>
      <Brand />
      <PlaceLink place={INBOX} className={classes.inbox} />
      <IconButton icon={Search} iconSize={19} label={words.find} onClick={palette.open} />
      <AccountMenu isSmall />
    </section>
  );
}

/** The bar at the bottom of a phone: the main screens, and a drawer with the others. */
export function BottomBar() {
  const [isOpen, more] = useDisclosure(false);
  return (
    <>
      <nav className={classes.bar} aria-label={words.navigation}>
        {BAR.map((place) => (
          <PlaceLink key={place.to} place={place} />
        ))}
        <UnstyledButton className={classes.place} onClick={more.open} aria-haspopup="dialog">
          <Ellipsis size={19} aria-hidden />
          <span>{words.more}</span>
        </UnstyledButton>
      </nav>
      <MoreDrawer opened={isOpen} onClose={more.close} />
    </>
  );
}
