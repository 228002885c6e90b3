import { describe, expect, it } from '@jest/globals';
import { DomainError, invalidField, notFound } from '#kernel';
import { isWrongCell, refusalOf } from './wrong-cells.ts';

describe('the refusal of a batch', () => {
  it('names the fields by the numbers of their cells', () => {
    const wrong = [
      { cell: 3, error: invalidField('seed', 'must be an integer') },
      { cell: 7, error: notFound('persona') },
    ];
    const refusal = refusalOf(wrong, 500);
    expect(refusal).toMatchObject({
      code: 'validation_failed',
      message: '2 of 500 cells are wrong, first cell 3: seed must be an integer',
      fields: { 'cells.3.seed': ['must be an integer'], 'cells.7': ['no such persona'] },
    });
  });

  it('says that there may be more after twenty', () => {
    const wrong = Array.from({ length: 20 }, (_, index) => ({ cell: index + 1, error: notFound('file') }));
    expect(refusalOf(wrong, 20).message).toMatch(/^at least 20 of 20 cells/);
  });

  it.each([
    ['slot_empty', true],
    ['file_expired', true],
    ['unavailable', false],
    ['quota_exceeded', false],
    ['no_persona', false],
  ] as const)('for %s concerns one cell: %s', (code, isOfCell) => {
    expect(isWrongCell(new DomainError(code, 'x'))).toBe(isOfCell);
    expect(isWrongCell(new Error('x'))).toBe(false);
  });
});
