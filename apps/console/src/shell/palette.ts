import { createSpotlight } from '@mantine/spotlight';

/** The palette's state, and what opens it: apart from the palette itself, which is loaded later. */
export const [paletteStore, palette] = createSpotlight();
