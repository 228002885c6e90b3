import { Tooltip, UnstyledButton } from '@mantine/core';
import { ImagePlus } from 'lucide-react';
import type { DryRunResponse, ModelDto } from '../../api/index.ts';
import { type Draft, FIELDS_OF, type InputName } from '../../model-form/draft.ts';
import { MediaThumb, type StoredMedia, storedPicture } from '../../ui/index.ts';
import classes from './Composer.module.css';
import { words } from './words.ts';

interface PicturesButtonProps {
  readonly draft: Draft;
  readonly model: ModelDto;
  /** The pictures that the service takes from the persona. */
  readonly ofPersona: DryRunResponse['inputs'] | undefined;
  readonly onClick: () => void;
}

/** The pictures that act, chosen or the persona's, where the model takes some; a press shows their fields. */
export function PicturesButton({ draft, model, ofPersona, onClick }: PicturesButtonProps) {
  const taken = (Object.keys(FIELDS_OF) as InputName[]).filter((input) => model.inputs[input] !== 'none');
  if (taken.length === 0) return null;
  const pictures: readonly StoredMedia[] = [
    ...taken.flatMap((input) => draft[input]).filter((each) => each !== null && each !== 'none'),
    ...picturesOf(ofPersona).map(storedPicture),
  ];
  const label = words.pictures(pictures.length);
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

function picturesOf(inputs: PicturesButtonProps['ofPersona']): readonly string[] {
  if (!inputs) return [];
  const { image, start_frame, style_reference, references } = inputs;
  return [image, start_frame, style_reference, ...references].filter((url) => url !== null);
}
