export { GenerationDetails } from './GenerationDetails.tsx';
export { ItemGrid } from './ItemGrid.tsx';
export { TagsField } from './LibraryFilters.tsx';
export { CheckFile } from './provenance/index.ts';
export { Stars } from './Stars.tsx';
export { LIBRARY_LOOK } from './library-tile.tsx';
export { type Item, itemOf, RATINGS } from './item.ts';
export { words as libraryWords } from './words.ts';
