import { useState } from 'react';
import { pictureOf } from '../media/viewed-media.ts';
import { words } from '../words.ts';
import type { Compared } from './ComparedItem.tsx';
import classes from './Comparison.module.css';
import { FRAME } from './use-zoom.ts';

/** Two pictures on top of each other, with a divider that pointer and arrow keys move. */
export function CompareSlider({ left, right }: { readonly left: Compared; readonly right: Compared }) {
  const [at, setAt] = useState(50);
  const ratio = left.width && left.height ? left.width / left.height : 4 / 3;
  // As high as the window allows, in the proportions of the first picture.
  const box = { aspectRatio: ratio, width: `min(100%, ${(62 * ratio).toFixed(2)}dvh)` };
  return (
    <div className={classes.slider} style={box} {...{ [FRAME]: '' }}>
      <img src={pictureOf(left)!} alt={left.name} className={classes.picture} />
      <span className={classes.over} style={{ clipPath: `inset(0 0 0 ${at}%)` }}>
        <img src={pictureOf(right)!} alt={right.name} className={classes.picture} />
      </span>
      <span className={classes.divider} style={{ left: `${at}%` }} aria-hidden />
      <span className={classes.name} data-side="left">
        {left.label}
      </span>
      <span className={classes.name} data-side="right">
        {right.label}
      </span>
      <input
        type="range"
        dir="ltr"
        min={0}
        max={100}
        step={1}
        value={at}
        aria-label={words.compare.divider}
        data-autofocus
        onChange={(event) => setAt(Number(event.target.value))}
      />
    </div>
  );
}
