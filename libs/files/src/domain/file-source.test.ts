import { expect, it } from '@jest/globals';
import { originOf, sourceOf, type FileSource } from './file-source.ts';
import type { FileOrigin } from './stored-file.ts';

it('an item is generated, uploaded or imported by its origin, and never derived', () => {
  const sources = { output: 'generated', upload: 'uploaded', import: 'imported' } as const;
  for (const [origin, source] of Object.entries(sources) as [FileOrigin, FileSource][]) {
    expect([sourceOf(origin), originOf(source)]).toEqual([source, origin]);
  }
  expect(originOf('derived')).toBeNull();
});
