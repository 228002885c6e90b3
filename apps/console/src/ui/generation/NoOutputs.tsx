import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Hint } from '../Hint.tsx';
import type { GenerationResponse } from '../../api/index.ts';
import { words } from '../words.ts';

/** Notice of a successful generation without outputs: it trained a style, or they were deleted. */
export function NoOutputs({ generation }: { readonly generation: GenerationResponse }) {
  const { kind, style, pid } = generation;
  const text = words.generation;
  return (
    <Hint>
      {kind !== 'style' ? text.deleted : style ? text.trained(style.name) : text.styleDeleted}{' '}
      {kind === 'style' && pid !== null && (
        <Anchor component={Link} to={`/personas/${pid}`} inherit underline="always">
          {text.toPersona}
        </Anchor>
      )}
    </Hint>
  );
}
