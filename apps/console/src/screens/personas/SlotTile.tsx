import { Group, Loader, Progress, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { CircleAlert, Image, ImagePlus } from 'lucide-react';
import { useRef } from 'react';
import type { PersonaDto, SlotDto } from '../../api/index.ts';
import { MediaThumb, Note, storedPicture } from '../../ui/index.ts';
import {
  isActive,
  type UploadEntry,
  uploadWords,
  useFilesInHand,
  useFileTarget,
  useUploads,
} from '../../uploads/index.ts';
import { type PersonaPictures, placeOf } from './persona-pictures.ts';
import { useDraggablePicture, usePictureInHand, usePictureTarget } from './picture-drag.ts';
import { SlotMenu } from './SlotMenu.tsx';
import { titleOf } from './slot-words.ts';
import { useFileChoice } from './use-file-choice.ts';
import classes from './SlotTile.module.css';
import { words } from './words.ts';

export interface SlotTileProps {
  readonly slot: SlotDto;
  readonly persona: PersonaDto;
  readonly pictures: PersonaPictures;
  readonly isLarge: boolean;
  readonly onLook: (trainingId: number) => void;
}

/** A slot: its picture or a drop target, its purpose, and its actions. */
export function SlotTile({ slot, persona, pictures, isLarge, onLook }: SlotTileProps) {
  const tile = useRef<HTMLDivElement>(null);
  const upload = useUploadInto(placeOf(persona.id, slot.slot));
  const fill = (files: readonly File[]) => void pictures.fillWithFiles(slot.slot, files);
  const isOver = useSlotTarget(tile, slot, pictures, fill);
  const isInHand = [useFilesInHand(), usePictureInHand()].includes(true);
  const chooseFile = useFileChoice(fill);
  const title = titleOf(slot.slot);
  const state = words.slotStates[slot.state ?? 'empty'];
  return (
    <div className={classes.tile} data-large={isLarge || undefined}>
      <div
        ref={tile}
        className={classes.frame}
        data-slot={slot.slot}
        data-empty={slot.photo === null || undefined}
        data-over={isOver || undefined}
        data-in-hand={isInHand || undefined}
      >
        <UnstyledButton
          className={classes.picture}
          onClick={() => (slot.training_id === null ? chooseFile() : onLook(slot.training_id))}
        >
          <VisuallyHidden>{words.slotLabel(slot.slot, title, state)}</VisuallyHidden>
          <span className={classes.face} aria-hidden>
            <Face slot={slot} isOver={isOver} isLarge={isLarge} />
            <StateMark state={slot.state} />
            {upload && <Sending upload={upload} />}
          </span>
        </UnstyledButton>
        <div className={classes.menu}>
          <SlotMenu slot={slot} persona={persona} pictures={pictures} onChooseFile={chooseFile} onLook={onLook} />
        </div>
      </div>
      <Group wrap="nowrap" gap={7} mt={8}>
        <span className={classes.number} aria-hidden>
          {slot.slot}
        </span>
        <Text size={isLarge ? 'sm' : 'xs'} fw={600} truncate>
          {title}
        </Text>
      </Group>
      {isLarge && <Note>{words.slotHint[slot.purpose]}</Note>}
    </div>
  );
}

/** Accepts files and pictures of the page, and makes the slot's own picture draggable. */
function useSlotTarget(
  tile: React.RefObject<HTMLDivElement | null>,
  { slot, photo, training_id }: SlotDto,
  pictures: PersonaPictures,
  fill: (files: readonly File[]) => void,
): boolean {
  const isFileOver = useFileTarget(tile, fill);
  const isPictureOver = usePictureTarget(
    tile,
    (picture) => picture.slot !== slot,
    ({ trainingId, url }) =>
      trainingId === undefined ? pictures.fillWithUrl(slot, url) : pictures.moveTo(slot, trainingId),
  );
  useDraggablePicture(tile, photo === null ? null : { url: photo, trainingId: training_id ?? undefined, slot });
  return isFileOver || isPictureOver;
}

function useUploadInto(place: string): UploadEntry | undefined {
  return useUploads().findLast((entry) => entry.place === place && entry.status !== 'done');
}

interface FaceProps {
  readonly slot: SlotDto;
  readonly isOver: boolean;
  readonly isLarge: boolean;
}

/** Shows only processed pictures: before, the address may be outside of the service. */
function Face({ slot: { photo, state }, isOver, isLarge }: FaceProps) {
  if (photo !== null && state === 'processed') {
    return <MediaThumb media={storedPicture(photo)} alt="" width={isLarge ? 320 : 150} />;
  }
  const Icon = photo === null ? ImagePlus : Image;
  return (
    <span className={classes.empty}>
      <Icon size={isLarge ? 28 : 20} strokeWidth={1.6} />
      {isLarge && photo === null && <span>{isOver ? words.dropHere : words.drop}</span>}
    </span>
  );
}

function StateMark({ state }: Pick<SlotDto, 'state'>) {
  if (state === 'created') {
    return (
      <span className={classes.mark}>
        <Loader size={14} /> {words.copying}
      </span>
    );
  }
  if (state !== 'failed') return null;
  return (
    <span className={classes.mark} data-failed>
      <CircleAlert size={14} /> {words.failed}
    </span>
  );
}

function Sending({ upload: { sent, size, status } }: { readonly upload: UploadEntry }) {
  return (
    <span className={classes.sending}>
      {uploadWords.states[status]}
      {isActive({ status }) && <Progress value={size ? (sent / size) * 100 : 100} size={4} />}
    </span>
  );
}
