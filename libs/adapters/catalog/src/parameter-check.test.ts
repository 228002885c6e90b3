import { describe, expect, it } from '@jest/globals';
import { parameterValues, type Parameter, type ParameterValues } from '#catalogue';
import { aModel } from '#testing/catalogue';
import { refusal } from '#testing/kernel';
import { AjvParameterCheck } from './parameter-check.ts';

const point = { type: 'object', required: ['x'], additionalProperties: false, properties: { x: { type: 'integer' } } };
const model = aModel({
  parameters: {
    seed: { type: 'integer', minimum: 0, maximum: 100 },
    strength: { type: 'number', minimum: 0, maximum: 1 },
    title: { type: 'string', maxLength: 5 },
    finish: { type: 'string', enum: ['matte', 'gloss'] },
    size: { type: 'string', enum: ['1', '2'] },
    hd: { type: 'integer', enum: [2, 4, 8] },
    day: { type: 'string', format: 'date' },
    colours: { type: 'array', maxItems: 3, items: { type: 'string', pattern: '^#[0-9a-f]{6}$' } },
    area: { type: 'object', properties: { points: { type: 'array', items: point } } },
  },
});
const check = new AjvParameterCheck();
const read = (fields: Record<string, unknown>) =>
  parameterValues(model, fields, (values) => check.problemsOf(model, values));

const problems = (fields: Record<string, unknown>) => refusal(() => read(fields)).fields!;

describe('a parameter', () => {
  it.each<[name: string, sent: unknown[], value: unknown]>([
    ['seed', ['0', 0], 0],
    ['seed', ['100', 100], 100],
    ['strength', ['1', 1, '1.0'], 1],
    ['strength', ['0.25', 0.25], 0.25],
    ['title', ['12345'], '12345'],
    ['title', ['😀😀😀😀😀'], '😀😀😀😀😀'],
    ['finish', ['matte'], 'matte'],
    ['size', ['1'], '1'],
    ['hd', ['8', 8], 8],
    ['day', ['2026-11-22'], '2026-11-22'],
    ['colours', ['["#00ff00"]', ['#00ff00']], ['#00ff00']],
    ['area', ['{"points":[{"x":1}]}', { points: [{ x: 1 }] }], { points: [{ x: 1 }] }],
  ])('%s takes %j', (name, sent, value) => {
    for (const each of sent) expect(read({ [name]: each })).toEqual({ [name]: value });
  });

  it.each<[name: string, rule: string, sent: unknown[]]>([
    ['seed', 'must be an integer from 0 to 100', [-1, 101, '-1', '101', 1.5]],
    ['strength', 'must be a number from 0 to 1', ['1.01', -0.01]],
    ['title', 'must be a text of at most 5 characters', ['123456', '😀😀😀😀😀😀']],
    ['finish', 'must be one of matte, gloss', ['satin']],
    ['size', 'must be one of 1, 2', ['3']],
    ['hd', 'must be one of 2, 4, 8', ['3', 16, 'four']],
    ['day', 'must be a text in the format date', ['2026-13-01', 'today']],
    ['colours', 'must be a list as JSON, of at most 64 KiB', ['{}', '7']],
    ['colours', 'must match pattern "^#[0-9a-f]{6}$" at 1', ['["#00ff00","green"]']],
    ['colours', 'must not have more than 3 items', [['#000000', '#000000', '#000000', '#000000']]],
    ['area', 'must be an object as JSON, of at most 64 KiB', ['[]']],
    ['area', "must have required property 'x' at points.0", ['{"points":[{}]}']],
    ['area', 'must be integer at points.0.x', ['{"points":[{"x":"1"}]}']],
    ['area', 'must not have additional properties at points.0', ['{"points":[{"x":1,"y":2}]}']],
  ])('%s %s: otherwise it is refused', (name, rule, sent) => {
    for (const each of sent) expect(problems({ [name]: each })).toEqual({ [name]: [rule] });
  });

  it('that is a long list of wrong values is refused with five reasons at most', () => {
    const points = Array.from({ length: 50 }, () => ({}));
    expect(problems({ area: { points } }).area).toHaveLength(5);
  });
});

describe('a pattern', () => {
  const patterned = (pattern: string) =>
    aModel({
      parameters: { code: { type: 'string', pattern }, codes: { type: 'array', items: { type: 'string', pattern } } },
    });
  const milliseconds = (fields: Record<string, unknown>, pattern: string) => {
    const model = patterned(pattern);
    check.problemsOf(model, { code: 'a' });
    const before = process.threadCpuUsage();
    const found = check.problemsOf(model, fields as ParameterValues);
    const { user, system } = process.threadCpuUsage(before);
    expect(Object.keys(found)).toEqual(Object.keys(fields));
    return (user + system) / 1000;
  };

  // A pattern that is tried again and again takes hours.
  it.each(['^(a+)+$', '^(a|a)*$', '^([a-z]+)*[0-9]$', '^(.*)(.*)(.*)x$', '^(a?){500}$', '^(.?){999}$'])(
    '%s takes no longer for a text that is made for it',
    (pattern) => {
      expect(milliseconds({ code: `${'a'.repeat(65_535)}!` }, pattern)).toBeLessThan(2_000);
      expect(milliseconds({ codes: Array<string>(60).fill(`${'a'.repeat(1000)}!`) }, pattern)).toBeLessThan(3_000);
    },
  );

  it.each<[pattern: string, fits: string, fails: string]>([
    [String.raw`^[\u4e00-\u9fa5]+$`, '漢字', 'kanji'],
    [String.raw`^\p{Lu}\d{2,4}(?:-[a-z]+)?$`, 'É2026-x', 'é2026'],
    ['^(?<year>[0-9]{4})/', '2026/1', '26/1'],
    ['^.$', '😀', 'ab'],
    ['b', 'abc', 'ac'],
  ])('%s means what it means in JSON Schema', (pattern, fits, fails) => {
    const model = patterned(pattern);
    expect(check.problemsOf(model, { code: fits, codes: [fits] })).toEqual({});
    expect(Object.keys(check.problemsOf(model, { code: fails, codes: [fails] }))).toEqual(['code', 'codes']);
  });
});

describe('the schemas of parameters', () => {
  it('may have patterns of 1,000 characters', () => {
    const long: Parameter = { type: 'string', pattern: 'a'.repeat(1000) };
    expect(check.schemaProblems(aModel({ parameters: { long } }))).toEqual([]);
  });

  const lookAhead =
    /^is not a valid JSON Schema \(the pattern cannot be run in linear time: invalid or unsupported Perl syntax: `\(\?=`\)$/;
  it.each<[parameter: object, path: string, message: string | RegExp]>([
    [{ type: 'integer', minumum: 1 }, 'hd', /^is not a valid JSON Schema \(unknown keyword: "minumum"/],
    [{ type: 'string', pattern: '^(?=a)a' }, 'hd', lookAhead],
    [{ type: 'string', pattern: String.raw`(a)\1` }, 'hd', /linear time/],
    [{ type: 'array', items: { type: 'string', pattern: '(?!a)b' } }, 'hd', /linear time/],
    [{ type: 'string', pattern: 'a'.repeat(1001) }, 'hd', /the pattern has more than 1000 characters/],
    [{ type: 'string', pattern: '(' }, 'hd', /^is not a valid JSON Schema \(/],
    [{ type: 'integer', minimum: 2, default: 1 }, 'hd.default', 'must be an integer of at least 2'],
    [{ type: 'integer', default: '2' }, 'hd.default', 'must be an integer'],
    [{ type: 'integer', enum: [2, '4'] }, 'hd.enum.1', 'does not fit the other keywords'],
  ])('are refused: %j, at %s', (parameter, path, message) => {
    const found = check.schemaProblems(
      aModel({ parameters: { fine: { type: 'string' }, hd: parameter as Parameter } }),
    );
    expect(found).toEqual([{ path: path.split('.'), message: expect.stringMatching(message) }]);
  });

  it('are well when they are valid', () => {
    expect(check.schemaProblems(model)).toEqual([]);
  });
});
