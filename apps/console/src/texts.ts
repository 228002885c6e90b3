export { words as library } from './library/words.ts';
export { words as batches } from './screens/batches/words.ts';
export { words as review } from './screens/boards/review/words.ts';
export { words as boards } from './screens/boards/words.ts';
export { words as edit } from './screens/edit/words.ts';
export { words as generate } from './screens/generate/words.ts';
export { words as ui } from './ui/words.ts';
