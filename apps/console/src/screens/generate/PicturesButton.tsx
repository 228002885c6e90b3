import { Tooltip, UnstyledButton } from '@mantine/core';
import { ImagePlus } from 'lucide-react';
import type { ModelDto } from '../../api/index.ts';
import { type Draft, FIELDS_OF, type InputName } from '../../model-form/draft.ts';
import { MediaThumb, type PickedMedia } from '../../ui/index.ts';
import { words } from '../../words.ts';
import classes from './Composer.module.css';

interface PicturesButtonProps {
  readonly draft: Draft;
  readonly model: ModelDto;
  readonly onClick: () => void;
}

/** The input pictures, where the model takes some; a press shows their fields. */
export function PicturesButton({ draft, model, onClick }: PicturesButtonProps) {
  const taken = (Object.keys(FIELDS_OF) as InputName[]).filter((input) => model.inputs[input] !== 'none');
  if (taken.length === 0) return null;
  const pictures = taken
    .flatMap((input) => draft[input])
    .filter((each): each is PickedMedia => each !== null && each !== 'none');
  const label = words.generate.pictures(pictures.length);
  return (
    <Tooltip label={label}>
      <UnstyledButton className={classes.pictures} aria-label={label} onClick={onClick}>
        {pictures.slice(0, 3).map((media, at) => (
          <span key={`${at} ${media.url}`} className={classes.thumb}>
            <MediaThumb media={media} alt="" width={34} />
          </span>
        ))}
        {pictures.length === 0 && <ImagePlus size={18} aria-hidden />}
      </UnstyledButton>
    </Tooltip>
  );
}
