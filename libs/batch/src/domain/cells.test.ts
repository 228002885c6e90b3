import { describe, expect, it } from '@jest/globals';
import { axesOf, cellsOf, readRows } from './cells.ts';
import { countOf, readMatrix } from './matrix.ts';

const FIRST_SEED = 100;
const cells = (matrix: object) => cellsOf({ matrix: readMatrix({ models: ['m'], ...matrix }, FIRST_SEED) });
const fieldsOf = (matrix: object) => cells(matrix).map(({ fields }) => fields);
const prompts = (matrix: object) => cells(matrix).map(({ fields }) => fields['prompt']);

/** The table of examples in docs/domain.md. */
describe('the cells of a matrix', () => {
  it.each<[what: string, matrix: object, fields: object[]]>([
    ['are one call without lists', {}, [{ model: 'm' }]],
    [
      'change the seed fastest and the model slowest',
      { models: ['m', 'n'], prompts: ['a', 'b'], seeds: [1, 2] },
      ['m', 'n'].flatMap((model) => ['a', 'b'].flatMap((prompt) => [1, 2].map((seed) => ({ model, prompt, seed })))),
    ],
    [
      'change prompts before variables, personas, styles and parameters',
      {
        prompts: ['{v}'],
        variables: { v: ['x', 'y'] },
        personas: [1, 2],
        styles: [7, 'none'],
        parameters: { steps: [4] },
      },
      ['x', 'y'].flatMap((prompt) =>
        [1, 2].flatMap((pid) => [
          { model: 'm', prompt, pid, style_id: 7, steps: 4 },
          { model: 'm', prompt, pid, style_transfer: 'none', steps: 4 },
        ]),
      ),
    ],
    ['have as many seeds as asked for', { seeds_count: 3 }, [100, 101, 102].map((seed) => ({ model: 'm', seed }))],
    [
      'take a parameter that is no list as one value',
      { parameters: { steps: 4, size: ['s', 'l'] } },
      [
        { model: 'm', steps: 4, size: 's' },
        { model: 'm', steps: 4, size: 'l' },
      ],
    ],
  ])('%s', (_, matrix, fields) => {
    expect(fieldsOf(matrix)).toEqual(fields);
    expect(countOf(readMatrix({ models: ['m'], ...matrix }, FIRST_SEED))).toBe(fields.length);
  });

  it('are numbered from 1 and have an index in each axis', () => {
    const matrix = readMatrix(
      { models: ['m', 'n'], prompts: ['{a} {b}', '{b}'], variables: { a: ['x'], b: ['y', 'z'] }, seeds: [5] },
      FIRST_SEED,
    );
    expect(axesOf(matrix)).toEqual([
      { name: 'model', values: ['m', 'n'] },
      { name: 'prompt', values: ['{a} {b}', '{b}'] },
      { name: '{a}', values: ['x'] },
      { name: '{b}', values: ['y', 'z'] },
      { name: 'seed', values: [5] },
    ]);
    const made = cellsOf({ matrix });
    expect(made.map(({ cell }) => cell)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(made.slice(0, 4).map(({ place, fields }) => [place, fields['prompt']])).toEqual([
      [[0, 0, 0, 0, 0], 'x y'],
      [[0, 0, 0, 1, 0], 'x z'],
      [[0, 1, null, 0, 0], 'y'],
      [[0, 1, null, 1, 0], 'z'],
    ]);
  });
});

describe('the variables of a prompt', () => {
  it.each<[what: string, prompt: string, variables: object, made: string[]]>([
    ['are replaced by each of their values', 'a {x}', { x: ['b', 'c'] }, ['a b', 'a c']],
    ['are replaced everywhere', '{x} and {x}', { x: ['b'] }, ['b and b']],
    ['are replaced once: a value that looks like one stays', '{x}', { x: ['{x}', '{y}'] }, ['{x}', '{y}']],
    ['keep a value as it is', '{x}', { x: ['$& $1 \\', '<b>'] }, ['$& $1 \\', '<b>']],
    ['may be numbers', '{x}', { x: [1, 2.5] }, ['1', '2.5']],
    [
      'may have names that objects have',
      '{constructor} {__proto__}',
      JSON.parse('{"constructor":["a"],"__proto__":["b"]}') as object,
      ['a b'],
    ],
    ['are not other braces', '{} { x } {1x} {{x}} {x-y} {x}', { x: ['b'] }, ['{} { x } {1x} {x} {x-y} b']],
  ])('%s', (_, prompt, variables, made) => expect(prompts({ prompts: [prompt], variables })).toEqual(made));

  it('multiply only the prompts that use them', () => {
    const matrix = { prompts: ['{x}', 'plain'], variables: { x: ['a', 'b', 'c'] } };
    expect(prompts(matrix)).toEqual(['a', 'b', 'c', 'plain']);
  });

  it.each<[what: string, matrix: object, problem: string]>([
    ['missing', { prompts: ['{x} {y}'], variables: { x: ['a'] } }, 'matrix.variables must have y, which a prompt uses'],
    ['unused', { prompts: ['{x}'], variables: { x: ['a'], z: ['b'] } }, 'must not have z, which no prompt uses'],
    ['only in a value', { prompts: ['{x}'], variables: { x: ['{y}'], y: ['b'] } }, 'must not have y'],
    ['badly named', { prompts: ['a'], variables: { 'x y': ['a'] } }, 'must have names of letters'],
    ['without values', { prompts: ['{x}'], variables: { x: [] } }, 'must be a list of 1 to 1000 values'],
    [
      'longer than 2,000 characters',
      { prompts: ['{x}'], variables: { x: ['v'.repeat(2_001)] } },
      'at most 2000 characters',
    ],
    ['no texts', { prompts: ['{x}'], variables: { x: [null] } }, 'must have texts'],
  ])('are refused when %s', (_, matrix, problem) => expect(() => cells(matrix)).toThrow(problem));

  it('make no prompt of more than 20,000 units', () => {
    const times = (count: number) => ({
      prompts: ['{x}'.repeat(count)],
      variables: { x: ['short', 'v'.repeat(1_985)] },
    });
    expect(prompts(times(10))).toHaveLength(2);
    expect(() => cells(times(11))).toThrow('matrix.prompts must have at most 10000 characters');
  });
});

describe('the number of cells', () => {
  const wide = Array.from({ length: 1_000 }, (_, index) => `${index}`);

  it('is 1,000 at most', () => {
    expect(cells({ models: wide })).toHaveLength(1_000);
    expect(cells({ seeds_count: 1_000 })).toHaveLength(1_000);
    expect(() => cells({ models: wide.slice(0, 501), seeds: [1, 2] })).toThrow(
      'matrix must have at most 1000 cells: this has 1002',
    );
  });

  it('is computed before a cell is made', () => {
    const before = process.threadCpuUsage();
    expect(() => cells({ models: wide, prompts: wide, seeds_count: 1_000 })).toThrow('this has 1000000000');
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`p${index}`, wide]));
    expect(() => cells({ parameters: many })).toThrow(/this has 1e\+150/);
    const { user, system } = process.threadCpuUsage(before);
    expect(user + system).toBeLessThan(100_000);
  });
});

describe('a matrix', () => {
  it.each<[what: string, matrix: unknown, problem: string]>([
    ['no object', [], 'matrix must be an object'],
    ['without models', {}, 'matrix.models is required'],
    ['models that are no list', { models: 'm' }, 'matrix.models must be a list of 1 to 1000 values'],
    ['too many values', { models: Array(1_001).fill('m') }, 'matrix.models must be a list of 1 to 1000 values'],
    ['a persona that is no id', { models: ['m'], personas: ['1'] }, 'matrix.personas must have positive integers'],
    ['a style that is none', { models: ['m'], styles: [0] }, 'matrix.styles must have positive integers'],
    ['seeds that are none', { models: ['m'], seeds: [1.5] }, 'matrix.seeds must be a list of integers'],
    ['no seeds', { models: ['m'], seeds_count: 0 }, 'matrix.seeds_count must be an integer from 1 to 1000'],
    ['too many seeds', { models: ['m'], seeds_count: 1_001 }, 'matrix.seeds_count must be an integer from 1 to 1000'],
    ['seeds twice', { models: ['m'], seeds: [1], seeds_count: 2 }, 'matrix.seeds_count must not be given beside seeds'],
    [
      'a seed among parameters too',
      { models: ['m'], seeds: [1], parameters: { seed: [2] } },
      'must not have seed beside',
    ],
    ['a list of its own among parameters', { models: ['m'], parameters: { pid: [2] } }, 'must not have pid'],
    ['a dry run of a cell', { models: ['m'], parameters: { dry_run: true } }, 'must not have dry_run'],
  ])('with %s is refused', (_, matrix, problem) => expect(() => readMatrix(matrix, FIRST_SEED)).toThrow(problem));
});

describe('rows', () => {
  it('are the cells, in their order', () => {
    const rows = readRows([{ model: 'm', seed: 1 }, { model: 'n' }]);
    expect(cellsOf({ rows })).toEqual([
      { cell: 1, place: [], fields: { model: 'm', seed: 1 } },
      { cell: 2, place: [], fields: { model: 'n' } },
    ]);
  });

  it.each<[what: string, rows: unknown, problem: string]>([
    ['no list', {}, 'rows must be a list of calls'],
    ['empty', [], 'rows must be a list of calls'],
    ['no objects', [{}, 1], 'rows[1] must be an object'],
    ['polls', [{ processing_url: 'gen_1' }], 'rows[0] must not have processing_url'],
    ['dry runs', [{ dry_run: false }], 'rows[0] must not have dry_run'],
  ])('that are %s are refused', (_, rows, problem) => expect(() => readRows(rows)).toThrow(problem));

  it('are 1,000 at most', () => {
    expect(readRows(Array(1_000).fill({}))).toHaveLength(1_000);
    expect(() => readRows(Array(1_001).fill({}))).toThrow('rows must have at most 1000 cells: this has 1001');
  });
});
