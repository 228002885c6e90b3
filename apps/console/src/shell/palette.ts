import { createSpotlight } from '@mantine/spotlight';

/** The palette's state and its controls, apart from the palette, which is loaded later. */
export const [paletteStore, palette] = createSpotlight();
