import { Outlet, useMatches } from '@tanstack/react-router';
import { lazy } from 'react';
import { useIsPhone } from '../ui/index.ts';
import { UploadsOf } from '../uploads/index.ts';
import { Deferred } from './Deferred.tsx';
import { CONTENT, useFocusOnContent } from './focus.ts';
import { useKeys } from './keys.ts';
import { whenOnline } from './not-loaded.ts';
import { OfflineNotice } from './OfflineNotice.tsx';
import { BottomBar, TopBar } from './PhoneBars.tsx';
import { useMe } from './session.ts';
import { SideBar } from './SideBar.tsx';
import { UnverifiedNotice } from './UnverifiedNotice.tsx';
import classes from './Shell.module.css';
import { words } from './words.ts';

const Extras = lazy(() => whenOnline(() => import('./Extras.tsx')));

/** The frame around every screen: a bar at the side, or at the top and bottom of a phone. */
export function Shell() {
  useKeys();
  useFocusOnContent();
  const { user } = useMe();
  const isPhone = useIsPhone();
  const isFilled = useMatches({ select: (matches) => matches.some(({ staticData }) => staticData.fillsWindow) });
  return (
    <div className={classes.frame}>
      <a href={`#${CONTENT}`} className={classes.skip}>
        {words.skip}
      </a>
      {!isFilled && (isPhone ? <TopBar /> : <SideBar />)}
      <main id={CONTENT} tabIndex={-1} className={isFilled ? classes.window : classes.content}>
        <OfflineNotice />
        <UnverifiedNotice />
        <Outlet />
      </main>
      {isPhone && !isFilled && <BottomBar />}
      <UploadsOf userId={user.id} />
      <Deferred>
        <Extras />
      </Deferred>
    </div>
  );
}
