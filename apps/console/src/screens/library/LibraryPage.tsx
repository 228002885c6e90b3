import { useDisclosure } from '@mantine/hooks';
import { FileSearch } from 'lucide-react';
import { CheckFile, ItemGrid } from '../../library/index.ts';
import { places } from '../../places.ts';
import { ActionButton, IconButton, Page, useIsPhone } from '../../ui/index.ts';
import { words } from './words.ts';

/** Every picture, video and model of the workspace, found again; and the marks of any other file. */
export function LibraryPage() {
  const [isChecking, { open, close }] = useDisclosure(false);
  // Beside the title, where a text would need a line of its own.
  const CheckButton = useIsPhone() ? IconButton : ActionButton;
  const check = <CheckButton icon={FileSearch} label={words.check} variant="default" onClick={open} />;
  return (
    <Page title={places.library} isWide actions={check}>
      <ItemGrid />
      <CheckFile opened={isChecking} onClose={close} />
    </Page>
  );
}
