/** All texts of the console; the texts of each screen are in its folder. A namespace, so that a screen loads only what it says. */
export * as words from './texts.ts';
