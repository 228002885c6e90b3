import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { DomainError } from '#kernel';
import { BooleanField, IntegerField, NumberField } from './number-fields.ts';
import { dtoOf } from './dto-of.ts';
import { readFields, serializerOf } from './dto.ts';
import { ChoicesField, IdsField, JsonField, ListField, ObjectField, ObjectsField, PairField } from './list-fields.ts';
import { ChoiceField, EmailField, TextField, TimeField, UrlField } from './text-fields.ts';

const optional = { required: false };

class Nested {
  @TextField('-') name!: string;
}

class Pair {
  @IntegerField('-', { min: 1 }) one!: number;
  @IntegerField('-', { min: 0 }) two!: number;
}

class Everything {
  @IntegerField('-', { ...optional, min: 1, max: 7 }) slot?: number;
  @IntegerField('-', optional) seed?: number;
  @IntegerField('-', { ...optional, min: 1, nullable: true }) parent_id?: number | null;
  @NumberField('-', { ...optional, min: 0, max: 1 }) strength?: number;
  @BooleanField('-', optional) dry_run?: boolean;
  @TextField('-', { ...optional, min: 2, max: 4 }) name?: string;
  @TextField('-', { ...optional, pattern: /^[a-z]+$/, patternMeans: 'lower-case letters' }) word?: string;
  @TextField('-', optional) prompt?: string;
  @ChoiceField(['like', 'slot'], '-', optional) kind?: 'like' | 'slot';
  @ChoicesField(['read', 'write'], '-', optional) scopes?: readonly ('read' | 'write')[];
  @UrlField('-', optional) image?: string;
  @EmailField('-', optional) email?: string;
  @IdsField('-', { ...optional, max: 3 }) ids?: readonly number[];
  @ObjectsField(() => Nested, '-', { ...optional, max: 2 }) list?: readonly Nested[];
  @PairField(() => Pair, ['one', 'two'], '-', { ...optional, nullable: true }) pair?: Pair | null;
}

class Required extends Everything {
  @TextField('-') title!: string;
}

function outcome(record: Record<string, unknown>, type: new () => object = Everything): unknown {
  try {
    return { ...readFields(type, record) };
  } catch (error) {
    return (error as DomainError).fields;
  }
}

const integer = 'must be an integer';
const url = 'must be an http or https URL';
const longUrl = `https://example.com/${'a'.repeat(2028)}`;

describe('a field', () => {
  it.each<[field: string, given: readonly unknown[], read: unknown]>([
    ['slot', ['1'], 1],
    ['slot', ['7', 7, '007'], 7],
    ['seed', ['-5'], -5],
    ['seed', ['-0'], 0],
    ['seed', ['9007199254740991'], Number.MAX_SAFE_INTEGER],
    ['scopes', ['write, read', ['write', 'read']], ['write', 'read']],
    ['parent_id', ['3'], 3],
    ['parent_id', ['', 'null', null], null],
    ['strength', ['0.5'], 0.5],
    ['strength', [1], 1],
    ['dry_run', ['true', '1', 1, true], true],
    ['dry_run', ['false', '0'], false],
    ['pair', ['12.0', { one: 12, two: 0 }, { one: '12', two: '0', three: 3 }], { one: 12, two: 0 }],
    ['pair', ['', 'null', null], null],
  ])('%s of %j is %j', (name, given, read) => {
    for (const value of given) expect(outcome({ [name]: value })).toEqual({ [name]: read });
  });

  it.each<[field: string, given: readonly string[]]>([
    ['name', ['ab', ' a ', '😀😀😀😀']],
    ['prompt', ['', 'null']],
    ['word', ['abc']],
    ['kind', ['like']],
    ['image', ['https://example.com/a.png?x=1', 'HTTP://localhost:9000/a%20b', longUrl]],
    ['email', ['Ann.Lee+x@example.co']],
  ])('%s keeps %j', (name, given) => {
    for (const value of given) expect(outcome({ [name]: value })).toEqual({ [name]: value });
  });

  it.each<[field: string, given: readonly unknown[], reason: string]>([
    ['slot', ['0', '8', '-1', '', 'null', '1.0', 1.5, '1e0', '0x1', ' 1', '+1', '١', 'NaN'], `${integer} from 1 to 7`],
    ['slot', [true, [1], { constructor: 'x' }, [{ constructor: 'x' }]], `${integer} from 1 to 7`],
    ['slot', [null], 'must not be null'],
    ['seed', ['9007199254740992', '-9007199254740992', 9007199254740992, '99999999999999999999', Infinity], integer],
    ['parent_id', ['NULL', '0'], 'must be a positive integer'],
    ['strength', ['1.01', '.5', 'Infinity'], 'must be a number from 0 to 1'],
    ['dry_run', ['yes', 'TRUE', '', 2], 'must be true or false'],
    ['name', ['a', 'abcde', '😀😀😀😀😀'], 'must have 2 to 4 characters'],
    ['name', [12, ['ab'], { then: 1 }], 'must be a string'],
    ['prompt', [null], 'must not be null'],
    ['word', ['Abc'], 'must be lower-case letters'],
    ['kind', ['LIKE', ['like']], 'must be like or slot'],
    ['image', ['ftp://example.com/a', 'javascript:alert(1)', '//example.com/a', 'https://', ''], url],
    ['image', ['https://exa mple.com'], url],
    ['image', [`${longUrl}a`], 'must have at most 2048 characters'],
    ['email', ['ann@', 5], 'must be an e-mail address'],
    ['scopes', ['', [], 'read,', 'admin', ['read', 1], [['read']], 7], 'must be a list of read, write'],
    ['pair', ['12', '12.', '.0', '-1.0', '1.0.0', '1,0', 12, true], 'must be one and two, such as 12.0'],
    ['pair', [[], [{ one: 1, two: 2 }]], 'must be an object'],
    ['scopes', ['read,read', ['read', 'read']], 'must name each once'],
  ])('%s refuses %j', (name, given, reason) => {
    for (const value of given) expect(outcome({ [name]: value })).toEqual({ [name]: [reason] });
  });

  const everyKind = 'slot strength dry_run name word prompt kind image email ids list scopes pair'.split(' ');
  const expectRefused = (name: string, value: unknown, microseconds: number) => {
    const before = process.threadCpuUsage();
    expect(outcome({ [name]: value })).toEqual({ [name]: [expect.stringMatching(/^must /)] });
    expect(process.threadCpuUsage(before).user).toBeLessThan(microseconds);
  };

  it.each(everyKind)('%s refuses a text that is far too long by its length alone', (name) => {
    const marks = '\u0301\u0323'.repeat(160_000);
    for (const long of [`a${marks}`, `https://${marks}.example`, `a@${marks}.example`, `[${'['.repeat(300_000)}`]) {
      expectRefused(name, long, 50_000);
    }
  });

  it('without a limit of its own takes 1000 characters, however many units they have', () => {
    for (const prompt of ['x'.repeat(1000), '😀'.repeat(1000)]) expect(outcome({ prompt })).toEqual({ prompt });
    for (const prompt of ['x'.repeat(1001), '😀'.repeat(1001)]) {
      expect(outcome({ prompt })).toEqual({ prompt: ['must have at most 1000 characters'] });
    }
  });

  it.each(everyKind)('%s refuses a list of 50,000 values as soon as any other', (name) => {
    const long = Array<number>(50_000).fill(1);
    outcome({ [name]: long });
    expectRefused(name, long, 20_000);
  });

  it('of two numbers names the number that it refuses', () => {
    for (const pair of ['0.1', { one: 0, two: 1 }]) {
      expect(outcome({ pair })).toEqual({ 'pair.one': ['must be a positive integer'] });
    }
    expect(outcome({ pair: { one: 1 } })).toEqual({ 'pair.two': ['is required'] });
  });

  it('of a list takes no text that is far longer than the list may be', () => {
    expect(outcome({ ids: '1, 2 ,9007199254740991' })).toEqual({ ids: [1, 2, Number.MAX_SAFE_INTEGER] });
    expect(outcome({ ids: [1, 2, 3, 4] })).toEqual({ ids: ['must have 1 to 3 ids'] });
    expect(outcome({ ids: ','.repeat(61) })).toEqual({ ids: ['must have 1 to 3 ids'] });
    expect(outcome({ list: [{ name: 'x'.repeat(1001) }] })).toEqual({
      'list[0].name': ['must have 1 to 1000 characters'],
    });
  });

  it('that is absent is undefined, and an undeclared field is left out', () => {
    expect(outcome({ unknown: 1, constructor: 'x' })).toEqual({});
  });

  it('that is required must be there and not be empty; fields of the extended class count too', () => {
    expect(outcome({}, Required)).toEqual({ title: ['is required'] });
    expect(outcome({ title: '' }, Required)).toEqual({ title: ['is required'] });
    expect(outcome({ title: 'x', slot: '2' }, Required)).toEqual({ title: 'x', slot: 2 });
    expect(outcome({ title: 'x' }, Everything)).toEqual({});
  });

  it('is named in the message, each one that is wrong', () => {
    const read = (): unknown => readFields(Required, { slot: '8', kind: 'x' });
    expect(read).toThrow(
      new DomainError(
        'validation_failed',
        'title is required; slot must be an integer from 1 to 7; kind must be like or slot',
      ),
    );
  });
});

describe('a response', () => {
  class Owner {
    @TextField('-') name!: string;
    @TimeField('-', { nullable: true }) left_at!: Date | null;
  }
  class Small {
    @ObjectField(() => Owner, '-', { nullable: true }) owner!: Owner | null;
    @TextField('-', { ...optional, nullable: true }) note?: string | null;
  }
  class Listed {
    @ListField(() => Owner, '-') owners!: Owner[];
  }
  class Free {
    @JsonField('-') schema!: object;
  }
  class Deep {
    @ObjectField(() => Free, '-') free!: Free;
  }
  const json = (type: new () => object, body: object): string => JSON.stringify(serializerOf(type)(body));

  it('has only the declared fields, at any depth, unchanged', () => {
    const owner = { name: '', left_at: new Date(0), secret: 1 };
    expect(json(Small, { owner, note: '', secret: 1 })).toBe(
      '{"owner":{"name":"","left_at":"1970-01-01T00:00:00.000Z"},"note":""}',
    );
    expect(json(Small, { owner: null })).toBe('{"owner":null}');
    expect(json(Small, { owner: { name: 'x', left_at: null } })).toBe('{"owner":{"name":"x","left_at":null}}');
  });

  it.each([
    [Listed, { owners: [{ name: 'x', left_at: null }] }],
    [Free, { schema: { constructor: 'x' } }],
    [Deep, { free: { schema: { constructor: 'x' } } }],
  ])('has lists and free JSON unchanged (%p)', (type, body) => {
    expect(serializerOf(type)({ ...body, secret: 1 })).toEqual(body);
  });
});

it('an object of the API has the fields of its class, each from the property of that name in camel case', () => {
  class CreatedDto {
    @TextField('Its name.', { example: 'a' }) name!: string;
    @IntegerField('Its folder.', { nullable: true }) parent_folder_id!: number | null;
  }
  class CountedDto extends CreatedDto {
    @IntegerField('Its items.', { required: false }) items_count?: number;
  }
  const row = { name: 'Drafts', parentFolderId: null, itemsCount: 3, secretKey: 'x' };
  expect(dtoOf(CreatedDto, row)).toEqual({ name: 'Drafts', parent_folder_id: null });
  expect(dtoOf(CountedDto, row)).toEqual({ name: 'Drafts', parent_folder_id: null, items_count: 3 });
});

it('an object of the API begins with its id, also where its class inherits the other fields', () => {
  class NamedDto {
    @TextField('Its name.', { example: 'a' }) name!: string;
  }
  class ItemDto extends NamedDto {
    @TextField('Its colour.', { example: 'a' }) color!: string;
    @IntegerField('Its number.') id!: number;
  }
  expect(Object.keys(dtoOf(ItemDto, { id: 3, name: 'Owl', color: 'red' }))).toEqual(['id', 'name', 'color']);
});
