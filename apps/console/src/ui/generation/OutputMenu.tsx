import { Menu } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Download, Ellipsis, Images, Sparkles, UserRound } from 'lucide-react';
import { useState } from 'react';
import { ActionMenuItem, IconButton } from '../ActionButton.tsx';
import type { GenerationResponse, OutputDto } from '../../api/index.ts';
import { mediaKind } from '../media.ts';
import { words } from '../words.ts';
import { PutOnBoardDialog } from '../dialogs.ts';
import { EditItem } from './EditButton.tsx';
import { imageLink } from './task-actions.ts';
import { TaskItems } from './TaskButtons.tsx';
import { actedOn } from './use-task-actions.ts';
import { UseAsSlotDialog } from './UseAsSlotDialog.tsx';

interface OutputMenuProps {
  readonly generation: GenerationResponse;
  readonly output: OutputDto;
  readonly label: string;
}

const text = words.output;

/** The actions of an output. */
export function OutputMenu({ generation, output, label }: OutputMenuProps) {
  const [dialog, setDialog] = useState<'board' | 'slot' | null>(null);
  const isPicture = mediaKind(output.content_type) === 'picture';
  const close = () => setDialog(null);
  return (
    <>
      <Menu>
        <Menu.Target>
          <IconButton icon={Ellipsis} iconSize={18} label={text.actions(label)} variant="default" size="lg" />
        </Menu.Target>
        <Menu.Dropdown>
          <EditItem on={actedOn(generation, output)} />
          <TaskItems on={actedOn(generation, output)} />
          <ActionMenuItem icon={Images} label={words.putOnBoard.title} onClick={() => setDialog('board')} />
          {isPicture && (
            <>
              <ActionMenuItem icon={UserRound} label={words.useAsSlot.title} onClick={() => setDialog('slot')} />
              <ActionMenuItem
                component={Link}
                icon={Sparkles}
                label={text.useAsInput}
                {...imageLink(actedOn(generation, output))}
              />
            </>
          )}
          <ActionMenuItem
            component="a"
            icon={Download}
            label={text.download}
            href={output.url}
            download
            target="_blank"
            rel="noreferrer"
          />
        </Menu.Dropdown>
      </Menu>
      <PutOnBoardDialog
        files={dialog === 'board' ? [{ url: output.url, extras: settingsOf(generation) }] : null}
        onClose={close}
      />
      <UseAsSlotDialog url={dialog === 'slot' ? output.url : null} personaId={generation.pid} onClose={close} />
    </>
  );
}

/** The settings that a board keeps with an output. */
function settingsOf({ id, model, prompt, parameters }: GenerationResponse): object {
  return { generation_id: id, model, prompt, parameters };
}
