import { ActionIcon, Tooltip } from '@mantine/core';
import { Grid2x2, Grid3x3, Square } from 'lucide-react';
import { usePreference } from '../use-preference.ts';
import { words } from '../words.ts';

const gapped = (phone: number, desk: number) => ({ gap: 12, column: (width: number) => (width < 500 ? phone : desk) });

/** The least widths of columns, in CSS pixels. */
const SIZES = {
  small: { icon: Grid3x3, tiles: gapped(100, 150), next: 'medium' },
  medium: { icon: Grid2x2, tiles: gapped(150, 215), next: 'large' },
  large: { icon: Square, tiles: gapped(260, 340), next: 'small' },
} as const;

type Size = keyof typeof SIZES;

/** The size of tiles that the account has chosen, in all grids. */
function useTileSize() {
  const [kept, keep] = usePreference('tile_size');
  return [kept && kept in SIZES ? (kept as Size) : 'medium', keep] as const;
}

/** How tiles are laid out. */
export function useTileLayout() {
  return SIZES[useTileSize()[0]].tiles;
}

/** Goes to the next of three sizes. */
export function TileSizeButton() {
  const [size, keep] = useTileSize();
  const { icon: Icon, next } = SIZES[size];
  const label = words.tileSize[size];
  return (
    <Tooltip label={label}>
      <ActionIcon variant="default" size={36} aria-label={label} onClick={() => keep(next)}>
        <Icon size={17} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
