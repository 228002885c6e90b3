import { ActionIcon, Menu } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Download, Ellipsis, Images, Sparkles, UserRound } from 'lucide-react';
import { useState } from 'react';
import type { GenerationResponse, OutputDto } from '../../api/index.ts';
import { mediaKind } from '../media.ts';
import { words } from '../words.ts';
import { EditItem } from './EditButton.tsx';
import { PutOnBoardDialog } from './PutOnBoardDialog.tsx';
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
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon variant="default" size="lg" aria-label={text.actions(label)}>
            <Ellipsis size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <EditItem on={actedOn(generation, output)} />
          <TaskItems on={actedOn(generation, output)} />
          <Menu.Item leftSection={<Images size={16} aria-hidden />} onClick={() => setDialog('board')}>
            {words.putOnBoard.title}
          </Menu.Item>
          {isPicture && (
            <>
              <Menu.Item leftSection={<UserRound size={16} aria-hidden />} onClick={() => setDialog('slot')}>
                {words.useAsSlot.title}
              </Menu.Item>
              <Menu.Item
                component={Link}
                {...imageLink(actedOn(generation, output))}
                leftSection={<Sparkles size={16} aria-hidden />}
              >
                {text.useAsInput}
              </Menu.Item>
            </>
          )}
          <Menu.Item
            component="a"
            href={output.url}
            download
            target="_blank"
            rel="noreferrer"
            leftSection={<Download size={16} aria-hidden />}
          >
            {text.download}
          </Menu.Item>
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
