import { describe, expect, it } from '@jest/globals';
import { assertCount, expiryOf, takesLabel } from './download.ts';

describe('a download', () => {
  it('has 1 to 10,000 files', () => {
    expect(() => assertCount(0)).toThrow('there are no files to download');
    for (const files of [1, 10_000]) expect(() => assertCount(files)).not.toThrow();
    expect(() => assertCount(10_001)).toThrow('there are more than 10000 files: download them in parts');
  });

  it('has a link that is good for ten minutes', () => {
    expect(expiryOf(new Date('2026-03-14T23:55:00.000Z'))).toEqual(new Date('2026-03-15T00:05:00.000Z'));
  });

  it('labels pictures that AI made, and nothing that people brought', () => {
    const takes = (origin: 'output' | 'upload' | 'import', contentType: string) => takesLabel({ origin, contentType });
    expect([takes('output', 'image/png'), takes('output', 'image/svg+xml')]).toEqual([true, true]);
    expect([takes('output', 'video/mp4'), takes('upload', 'image/png'), takes('import', 'image/png')]).toEqual([
      false,
      false,
      false,
    ]);
  });
});
