import { Text, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import type { GenerationResponse, OutputDto } from '../../api/index.ts';
import { words } from '../../words.ts';
import { percent } from '../formats.ts';
import { mediaKind, thumbnailOf } from '../media.ts';
import { MediaViewer } from '../media/MediaViewer.tsx';
import { MediaThumb } from '../MediaThumb.tsx';
import { OutputMenu } from './OutputMenu.tsx';
import classes from './Outputs.module.css';

interface OutputsProps {
  readonly generation: GenerationResponse;
}

/** The outputs of a generation, as large as fits; each opens in the viewer. */
export function Outputs({ generation }: OutputsProps) {
  const { outputs } = generation;
  const [open, setOpen] = useState<string | number | null>(null);
  const named = outputs.map((output, at) => ({ ...output, id: output.url, name: nameOf(generation, output, at) }));
  return (
    <>
      <div className={classes.outputs} data-count={Math.min(outputs.length, 4)}>
        {named.map((output) => (
          <div key={output.id} className={classes.output}>
            <Shown
              output={output}
              name={output.name}
              isAlone={outputs.length === 1}
              onOpen={() => setOpen(output.id)}
            />
            <span className={classes.menu}>
              <OutputMenu generation={generation} output={output} label={output.name} />
            </span>
          </div>
        ))}
      </div>
      <MediaViewer
        media={named}
        openId={open}
        onOpen={setOpen}
        actions={({ url }) => {
          const output = outputs.find((each) => each.url === url);
          return output && <OutputMenu generation={generation} output={output} label={words.ui.output.this} />;
        }}
      />
    </>
  );
}

/** The prompt, or the label of a mask, with a number if there are several outputs. */
function nameOf({ prompt, id, outputs }: GenerationResponse, { label }: OutputDto, at: number): string {
  const name = label ?? (prompt || words.ui.picker.output(id));
  return outputs.length === 1 ? name : `${name} (${at + 1})`;
}

interface ShownProps {
  readonly output: OutputDto;
  readonly name: string;
  readonly isAlone: boolean;
  readonly onOpen: () => void;
}

function Shown({ output, name, isAlone, onOpen }: ShownProps) {
  const { width, height, content_type, url, label, score } = output;
  const ratio = width && height ? { aspectRatio: `${width} / ${height}` } : undefined;
  if (isAlone && mediaKind(content_type) === 'video') {
    const poster = thumbnailOf(output, 640) ?? undefined;
    return (
      <video
        className={classes.video}
        style={ratio}
        src={url}
        poster={poster}
        preload="metadata"
        controls
        loop
        playsInline
        aria-label={name}
      />
    );
  }
  return (
    <UnstyledButton
      className={classes.open}
      style={isAlone ? ratio : undefined}
      aria-label={words.ui.output.open(name)}
      onClick={onOpen}
    >
      <MediaThumb media={output} alt="" width={isAlone ? 640 : 320} fit={isAlone ? 'contain' : 'cover'} />
      {label !== null && (
        <Text span className={classes.label} dir="auto">
          {label} {score !== null && percent(score)}
        </Text>
      )}
    </UnstyledButton>
  );
}
