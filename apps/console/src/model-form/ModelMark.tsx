import { Box, Brush, Film, Image, PenTool, Scissors } from 'lucide-react';
import type { ModelDto } from '../api/index.ts';
import classes from './ModelMark.module.css';

const ICONS = { image: Image, video: Film, vector: PenTool, model3d: Box, mask: Scissors, style: Brush };

/** The icon of the kind of a model. */
export function ModelMark({ model }: { readonly model: Pick<ModelDto, 'kind'> }) {
  const Icon = ICONS[model.kind];
  return (
    <span className={classes.mark} data-kind={model.kind}>
      <Icon size={20} strokeWidth={1.8} aria-hidden />
    </span>
  );
}
