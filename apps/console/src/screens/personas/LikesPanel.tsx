import { Group, Menu } from '@mantine/core';
import { FileUp, Heart, Images, Plus, RotateCw, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import type { PersonaDto, TrainingDto } from '../../api/index.ts';
import { ActionButton, ActionMenuItem, EmptyState, MediaPicker, VirtualGrid } from '../../ui/index.ts';
import type { PersonaPictures } from './persona-pictures.ts';
import { usePictureTarget } from './picture-drag.ts';
import { PictureTile } from './PictureTile.tsx';
import { SlotItems } from './SlotItems.tsx';
import { useFileChoice } from './use-file-choice.ts';
import classes from './Library.module.css';
import { words } from './words.ts';

export interface PanelProps {
  readonly persona: PersonaDto;
  readonly pictures: PersonaPictures;
  /** Opens the viewer. */
  readonly onLook: (id: string | number) => void;
}

export const PANEL_HEIGHT = 520;

/** The likes of a persona. They can be viewed, moved into slots and removed. */
export function LikesPanel({ persona, pictures, onLook }: PanelProps) {
  const panel = useRef<HTMLDivElement>(null);
  const likes = persona.trainings.filter(({ slot }) => slot === null);
  const isOver = usePictureTarget(
    panel,
    (picture) => picture.slot !== null || picture.trainingId === undefined,
    ({ trainingId, url }) => {
      const training = persona.trainings.find(({ id }) => id === trainingId);
      if (training) pictures.moveToLikes(training);
      else pictures.likeUrls([url]);
    },
  );
  return (
    <div ref={panel} className={classes.panel} data-over={isOver || undefined}>
      <AddLikes persona={persona} pictures={pictures} />
      {likes.length === 0 ? (
        <EmptyState icon={Heart} title={words.noLikes} hint={words.noLikesHint} />
      ) : (
        <VirtualGrid items={likes} label={words.tabs.likes} height={PANEL_HEIGHT}>
          {(like) => <LikeTile like={like} persona={persona} pictures={pictures} onLook={onLook} />}
        </VirtualGrid>
      )}
    </div>
  );
}

export function nameOf({ id, extras }: TrainingDto): string {
  return extras || words.like(id);
}

function LikeTile({ like, persona, pictures, onLook }: PanelProps & { readonly like: TrainingDto }) {
  const states = { created: words.copying, failed: words.failed, processed: undefined };
  return (
    <PictureTile
      media={{ url: like.image, content_type: like.state === 'processed' ? 'image/*' : null }}
      name={nameOf(like)}
      picture={{ url: like.image, trainingId: like.id, slot: null }}
      badge={states[like.state]}
      onLook={() => onLook(like.id)}
      menuLabel={words.menuOfLike(nameOf(like))}
      menu={
        <>
          {like.state === 'failed' && (
            <ActionMenuItem icon={RotateCw} label={words.tryAgain} onClick={() => pictures.retry(like)} />
          )}
          <SlotItems
            slots={persona.slots}
            label={words.putIn}
            labelOf={words.moveToOf}
            onSlot={(slot) => pictures.moveTo(slot, like.id)}
          />
          <Menu.Divider />
          <ActionMenuItem
            icon={Trash2}
            label={words.removeLike}
            color="red"
            onClick={() => pictures.removeLike(like)}
          />
        </>
      }
    />
  );
}

function AddLikes({ persona, pictures }: Pick<PanelProps, 'persona' | 'pictures'>) {
  const [isPicking, pick] = useState(false);
  const chooseFiles = useFileChoice((files) => pictures.likeFiles(files));
  return (
    <Group justify="flex-end" mb="sm">
      <Menu>
        <Menu.Target>
          <ActionButton icon={Plus} iconSize={15} label={words.addLikes} size="xs" variant="default" />
        </Menu.Target>
        <Menu.Dropdown>
          <ActionMenuItem icon={FileUp} label={words.likeFiles} onClick={chooseFiles} />
          <ActionMenuItem icon={Images} label={words.likeStored} onClick={() => pick(true)} />
        </Menu.Dropdown>
      </Menu>
      <MediaPicker
        opened={isPicking}
        onClose={() => pick(false)}
        title={words.pickLikes}
        most={20}
        personaId={persona.id}
        onPick={(picked) => pictures.likeUrls(picked.map(({ url }) => url))}
      />
    </Group>
  );
}
