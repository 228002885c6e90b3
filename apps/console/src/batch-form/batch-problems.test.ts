import { describe, expect, it } from '@jest/globals';
import { X12Error } from '../api/index.ts';
import { batchProblems, shownProblems } from './batch-problems.ts';

const refused = (fields: Readonly<Record<string, readonly string[]>>) =>
  new X12Error('validation_failed', 'wrong', { status: 400, fields });
const of = (fields: Readonly<Record<string, readonly string[]>>) => batchProblems(refused(fields), ['width']);

describe('a refusal of a batch', () => {
  it.each<[field: string, path: string, problem: string]>([
    ['models', 'matrix.models', 'Models must be so.'],
    ['variables', 'matrix.variables', 'The variables must be so.'],
    ['seeds', 'matrix.seeds_count', 'Seeds must be so.'],
    ['prompts', 'cells.3.prompt', 'Picture 3: prompt must be so.'],
    ['personas', 'cells.3.pid', 'Picture 3: pid must be so.'],
    ['styles', 'cells.3.style_id', 'Picture 3: style_id must be so.'],
    ['parameters.width', 'cells.3.width', 'Picture 3: width must be so.'],
  ])('stands at %s for %s', (field, path, problem) => {
    expect(of({ [path]: ['must be so'] })).toEqual({ fields: { [field]: problem }, count: null, other: null });
  });

  it('names the first wrong cell of each field', () => {
    const { fields } = of({
      'cells.3.seed': ['must be a'],
      'cells.4.seed': ['must be b'],
      'cells.5.width': ['must be c'],
    });
    expect(fields).toEqual({ seeds: 'Picture 3: seed must be a.', 'parameters.width': 'Picture 5: width must be c.' });
  });

  it('for too many cells stands at their number', () => {
    const { count, other } = of({ matrix: ['must have at most 1000 cells: this has 1000000000'] });
    expect([count, other]).toEqual(['A batch must have at most 1000 cells: this has 1000000000.', null]);
  });

  it.each([{ 'cells.3.height': ['must be so'] }, { 'cells.3': ['no such persona'] }, { name: ['is required'] }, {}])(
    'that no field shows is shown whole: %j',
    (fields) => {
      const error = refused(fields as never);
      expect(batchProblems(error, ['width'])).toEqual({ fields: {}, count: null, other: error });
    },
  );

  it('about what is still to be filled in is shown after a try', () => {
    const problems = of({ 'matrix.models': ['is required'], 'cells.1.seed': ['must be so'] });
    const isMissing = (field: string) => field === 'models';
    expect(Object.keys(shownProblems(problems, isMissing, false).fields)).toEqual(['seeds']);
    expect(shownProblems(problems, isMissing, true)).toBe(problems);
  });
});
