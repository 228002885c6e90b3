import { Kbd, UnstyledButton } from '@mantine/core';
import { Search } from 'lucide-react';
import { AccountMenu } from './AccountMenu.tsx';
import { Brand } from './Brand.tsx';
import { CreditsMeter } from './CreditsMeter.tsx';
import { MOD } from './keys.ts';
import { GENERATE, GROUPS, useIsOffered } from './navigation.ts';
import { palette } from './palette.ts';
import { PlaceLink } from './PlaceLink.tsx';
import classes from './Navigation.module.css';
import { words } from './words.ts';

/** The navigation of wide windows. */
export function SideBar() {
  const isOffered = useIsOffered();
  return (
    <section className={classes.side} aria-label={words.bar}>
      <Brand />
      <UnstyledButton className={classes.search} onClick={palette.open}>
        <Search size={16} aria-hidden />
        <span>{words.find}</span>
        <Kbd size="xs" aria-hidden>
          {MOD} K
        </Kbd>
      </UnstyledButton>
      <nav className={classes.places} aria-label={words.navigation}>
        <PlaceLink place={GENERATE} className={classes.primary} />
        {GROUPS.map(({ title, places }) => (
          <div key={title} className={classes.group}>
            {title && <div className={classes.groupTitle}>{title}</div>}
            {places.filter(isOffered).map((place) => (
              <PlaceLink key={place.to} place={place} />
            ))}
          </div>
        ))}
      </nav>
      <CreditsMeter />
      <AccountMenu />
    </section>
  );
}
