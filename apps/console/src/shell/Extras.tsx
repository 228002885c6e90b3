import { Notifications } from '@mantine/notifications';
import { DropAnywhere, UploadTray } from '../uploads/index.ts';
import { KeysDialog } from './KeysDialog.tsx';
import { Palette } from './Palette.tsx';

/** Parts of every screen that are loaded after the screen. */
export default function Extras() {
  return (
    <>
      <Notifications position="bottom-right" />
      <UploadTray />
      <DropAnywhere />
      <Palette />
      <KeysDialog />
    </>
  );
}
