import { describe, expect, it } from '@jest/globals';
import { statedSource, type FoundMark } from './file-provenance.ts';

const mark = (changes: Partial<FoundMark>): FoundMark => {
  return { kind: 'xmp', signer: null, intact: null, trusted: null, digitalSource: null, ...changes };
};

describe('the digital source of marks', () => {
  it('is the first that they state', () => {
    expect(statedSource([])).toBeNull();
    expect(statedSource([mark({}), mark({ digitalSource: 'a' }), mark({ digitalSource: 'b' })])).toBe('a');
  });

  it('is not that of a signature that is broken', () => {
    const signed = mark({ kind: 'c2pa', digitalSource: 'a', intact: false });
    expect(statedSource([signed])).toBeNull();
    expect(statedSource([{ ...signed, intact: true }])).toBe('a');
  });
});
