import { Anchor, ScrollArea, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link, Outlet } from '@tanstack/react-router';
import { Ellipsis } from 'lucide-react';
import { Drawer } from '@mantine/core';
import { words } from '../words.ts';
import { PLACES, type Place } from './navigation.ts';
import classes from './Shell.module.css';

const IN_BAR = 4;

/** The frame around every screen: a bar at the side, or at the bottom of a phone. */
export function Shell() {
  const [isOpen, more] = useDisclosure(false);
  return (
    <div className={classes.frame}>
      <Anchor href="#content" className={classes.skip}>
        {words.shell.skip}
      </Anchor>
      <header className={classes.side}>
        <div className={classes.brand}>
          <img src="/console/mark.svg" alt="" width={26} height={26} />
          {words.product}
        </div>
        <ScrollArea className={classes.places} type="auto">
          <nav aria-label={words.shell.navigation}>
            {PLACES.map((place) => (
              <PlaceLink key={place.to} place={place} />
            ))}
          </nav>
        </ScrollArea>
      </header>
      <main id="content" tabIndex={-1} className={classes.content}>
        <Outlet />
      </main>
      <nav className={classes.bar} aria-label={words.shell.navigation}>
        {PLACES.slice(0, IN_BAR).map((place) => (
          <PlaceLink key={place.to} place={place} />
        ))}
        <UnstyledButton className={classes.place} onClick={more.open} aria-haspopup="dialog">
          <Ellipsis size={20} aria-hidden />
          {words.shell.more}
        </UnstyledButton>
      </nav>
      <Drawer
        opened={isOpen}
        onClose={more.close}
        position="bottom"
        size="auto"
        title={words.shell.more}
        closeButtonProps={{ 'aria-label': words.ui.close }}
      >
        <nav aria-label={words.shell.more}>
          {PLACES.slice(IN_BAR).map((place) => (
            <PlaceLink key={place.to} place={place} onClick={more.close} />
          ))}
        </nav>
      </Drawer>
    </div>
  );
}

function PlaceLink({ place, onClick }: { readonly place: Place; readonly onClick?: () => void }) {
  const { to, label, icon: Icon } = place;
  return (
    <Link to={to} className={classes.place} activeOptions={{ exact: to === '/' }} onClick={onClick}>
      <Icon size={20} strokeWidth={1.9} aria-hidden />
      {label}
    </Link>
  );
}
