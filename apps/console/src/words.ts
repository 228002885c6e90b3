/** Texts by screen, for the files that do not import them from their own folder yet. */
export * as words from './texts.ts';
