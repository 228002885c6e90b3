import { CloseButton, Input } from '@mantine/core';
import { storedPicture, MediaThumb } from '../ui/index.ts';
import { type BatchDraft, picturesOf, withoutParameter } from './batch-draft.ts';
import classes from './BatchPanel.module.css';
import { words } from './words.ts';

interface PicturesProps {
  readonly draft: BatchDraft;
  readonly onChange: (part: Partial<BatchDraft>) => void;
}

/** The pictures that all calls have, taken over from the form of a single generation. */
export function Pictures({ draft, onChange }: PicturesProps) {
  const pictures = picturesOf(draft);
  if (pictures.length === 0) return null;
  return (
    <Input.Wrapper label={words.pictures} labelElement="div">
      <div className={classes.pictures}>
        {pictures.map(([name, url]) => (
          <span key={name} className={classes.input}>
            <span className={classes.picture}>
              <MediaThumb media={storedPicture(url)} alt={labelOf(name)} width={72} />
            </span>
            <CloseButton
              size="sm"
              variant="default"
              radius="xl"
              className={classes.remove}
              aria-label={words.removePicture(labelOf(name))}
              onClick={() => onChange(withoutParameter(draft, name))}
            />
          </span>
        ))}
      </div>
    </Input.Wrapper>
  );
}

function labelOf(name: string): string {
  const names: Readonly<Record<string, string>> = words.pictureNames;
  return names[name] ?? words.reference(name.split('_').at(-1)!);
}
