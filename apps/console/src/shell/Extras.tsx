import { DropAnywhere, UploadTray } from '../uploads/index.ts';
import { KeysDialog } from './KeysDialog.tsx';
import { Palette } from './Palette.tsx';
import { useMe } from './session.ts';

/** What every screen has, and nobody needs at once: it loads after the first screen. */
export default function Extras() {
  const { user } = useMe();
  return (
    <>
      <UploadTray userId={user.id} />
      <DropAnywhere />
      <Palette />
      <KeysDialog />
    </>
  );
}
