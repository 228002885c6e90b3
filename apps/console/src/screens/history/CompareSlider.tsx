import { useState } from 'react';
import type { StoredMedia } from '../../ui/index.ts';
import { words } from '../../words.ts';
import classes from './Compare.module.css';

interface CompareSliderProps {
  readonly left: StoredMedia;
  readonly right: StoredMedia;
  readonly names: readonly [string, string];
}

/** Two pictures on top of each other, with a divider that pointer and arrow keys move. */
export function CompareSlider({ left, right, names }: CompareSliderProps) {
  const [at, setAt] = useState(50);
  const ratio = left.width && left.height ? left.width / left.height : 4 / 3;
  // As high as the window allows, in the proportions of the first picture.
  const box = { aspectRatio: ratio, width: `min(100%, ${(68 * ratio).toFixed(2)}dvh)` };
  return (
    <div className={classes.slider} style={box}>
      <img src={left.url} alt={names[0]} />
      <img src={right.url} alt={names[1]} style={{ clipPath: `inset(0 0 0 ${at}%)` }} />
      <span className={classes.divider} style={{ left: `${at}%` }} aria-hidden />
      <span className={classes.name} data-side="left">
        {names[0]}
      </span>
      <span className={classes.name} data-side="right">
        {names[1]}
      </span>
      <input
        type="range"
        dir="ltr"
        min={0}
        max={100}
        step={1}
        value={at}
        aria-label={words.history.compare.divider}
        onChange={(event) => setAt(Number(event.target.value))}
      />
    </div>
  );
}
