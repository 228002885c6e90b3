import { Notifications } from '@mantine/notifications';
import { DropAnywhere, UploadTray } from '../uploads/index.ts';
import { KeysDialog } from './KeysDialog.tsx';
import { Palette } from './Palette.tsx';

/** What every screen has, and nobody needs at once. */
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
