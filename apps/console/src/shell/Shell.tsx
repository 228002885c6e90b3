import { useMediaQuery } from '@mantine/hooks';
import { Outlet } from '@tanstack/react-router';
import { DropAnywhere, UploadTray } from '../uploads/index.ts';
import { words } from '../words.ts';
import { useKeys } from './keys.ts';
import { KeysDialog } from './KeysDialog.tsx';
import { OfflineNotice } from './OfflineNotice.tsx';
import { Palette } from './Palette.tsx';
import { BottomBar, TopBar } from './PhoneBars.tsx';
import { SideBar } from './SideBar.tsx';
import { useMe } from './session.ts';
import classes from './Shell.module.css';

/** The frame around every screen: a bar at the side, or at the top and bottom of a phone. */
export function Shell() {
  useKeys();
  const { user } = useMe();
  const isPhone = useMediaQuery('(max-width: 800px)', undefined, { getInitialValueInEffect: false });
  return (
    <div className={classes.frame}>
      <a href="#content" className={classes.skip}>
        {words.shell.skip}
      </a>
      {isPhone ? <TopBar /> : <SideBar />}
      <main id="content" tabIndex={-1} className={classes.content}>
        <OfflineNotice />
        <Outlet />
      </main>
      {isPhone && <BottomBar />}
      <UploadTray userId={user.id} />
      <DropAnywhere />
      <Palette />
      <KeysDialog />
    </div>
  );
}
