import { onlineManager } from '@tanstack/react-query';
import { WifiOff } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import classes from './Shell.module.css';
import { words } from './words.ts';

const subscribe = (listener: () => void) => onlineManager.subscribe(listener);

/** Shown above the screen while the browser is offline. */
export function OfflineNotice() {
  const isOnline = useSyncExternalStore(subscribe, () => onlineManager.isOnline());
  return (
    <div role="status">
      {!isOnline && (
        <p className={classes.notice}>
          <WifiOff size={16} aria-hidden />
          {words.offline}
        </p>
      )}
    </div>
  );
}
