import { Menu } from '@mantine/core';
import { Ellipsis, Eye, FileUp, Heart, Images, RotateCw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { PersonaDto, SlotDto } from '../../api/index.ts';
import { ActionMenuItem, IconButton, MediaPicker } from '../../ui/index.ts';
import type { PersonaPictures } from './persona-pictures.ts';
import { SlotItems } from './SlotItems.tsx';
import { words } from './words.ts';

interface SlotMenuProps {
  readonly slot: SlotDto;
  readonly persona: PersonaDto;
  readonly pictures: PersonaPictures;
  readonly onChooseFile: () => void;
  readonly onLook: (trainingId: number) => void;
}

/** The actions of a slot: the keyboard's way of drag and drop. */
export function SlotMenu(props: SlotMenuProps) {
  const { slot, persona, pictures, onChooseFile } = props;
  const [isPicking, pick] = useState(false);
  const isEmpty = slot.training_id === null;
  return (
    <>
      <Menu width={260}>
        <Menu.Target>
          <IconButton icon={Ellipsis} iconSize={18} label={words.menuOf(slot.slot)} variant="default" size={32} />
        </Menu.Target>
        <Menu.Dropdown>
          <ActionMenuItem
            icon={FileUp}
            label={isEmpty ? words.chooseFile : words.replaceByFile}
            onClick={onChooseFile}
          />
          <ActionMenuItem
            icon={Images}
            label={isEmpty ? words.chooseStored : words.replaceByStored}
            onClick={() => pick(true)}
          />
          {!isEmpty && <FilledSlotItems {...props} />}
        </Menu.Dropdown>
      </Menu>
      <MediaPicker
        opened={isPicking}
        onClose={() => pick(false)}
        title={words.pickTitle(slot.slot)}
        personaId={persona.id}
        onPick={([picked]) => picked && pictures.fillWithUrl(slot.slot, picked.url)}
      />
    </>
  );
}

function FilledSlotItems({ slot, persona, pictures, onLook }: SlotMenuProps) {
  const training = persona.trainings.find(({ id }) => id === slot.training_id);
  if (!training) return null;
  return (
    <>
      <ActionMenuItem icon={Eye} label={words.open} onClick={() => onLook(training.id)} />
      {slot.state === 'failed' && (
        <ActionMenuItem icon={RotateCw} label={words.tryAgain} onClick={() => pictures.retry(training)} />
      )}
      <Menu.Divider />
      <SlotItems
        slots={persona.slots.filter((each) => each.slot !== slot.slot)}
        label={words.moveTo}
        labelOf={words.moveToOf}
        onSlot={(target) => pictures.moveTo(target, training.id)}
      />
      <Menu.Divider />
      <ActionMenuItem icon={Heart} label={words.toLikes} onClick={() => pictures.moveToLikes(training)} />
      <ActionMenuItem icon={Trash2} label={words.emptySlot} color="red" onClick={() => pictures.empty(slot.slot)} />
    </>
  );
}
