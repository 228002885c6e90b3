import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { DomainError } from '#kernel';
import { BooleanField, IntegerField, NumberField } from './number-fields.ts';
import { readFields, serialize } from './dto.ts';
import { JsonField, ListField, ObjectField } from './list-fields.ts';
import { ChoiceField, EmailField, TextField, TimeField, UrlField } from './text-fields.ts';

class Everything {
  @IntegerField({ description: '-', min: 1, max: 7, required: false })
  slot?: number;

  @IntegerField({ description: '-', required: false })
  seed?: number;

  @IntegerField({ description: '-', min: 1, required: false, nullable: true })
  parent_id?: number | null;

  @NumberField({ description: '-', min: 0, max: 1, required: false })
  strength?: number;

  @BooleanField({ description: '-', required: false })
  dry_run?: boolean;

  @TextField({ description: '-', min: 2, max: 4, required: false })
  name?: string;

  @TextField({ description: '-', required: false, pattern: /^[a-z]+$/, patternMeans: 'lower-case letters' })
  word?: string;

  @TextField({ description: '-', required: false })
  prompt?: string;

  @ChoiceField(['like', 'slot'], { description: '-', required: false })
  kind?: 'like' | 'slot';

  @UrlField({ description: '-', required: false })
  image?: string;

  @EmailField({ description: '-', required: false })
  email?: string;
}

class Required extends Everything {
  @TextField({ description: '-' })
  title!: string;
}

function outcome(record: Record<string, unknown>, type: new () => object = Everything): unknown {
  try {
    return { ...readFields(type, record) };
  } catch (error) {
    return (error as DomainError).fields;
  }
}

const slot = ['must be an integer from 1 to 7'];
const integer = ['must be an integer'];
const text = ['must be a string'];

describe('a field', () => {
  it.each<[string, unknown, unknown]>([
    ['slot', '1', 1],
    ['slot', '7', 7],
    ['slot', 7, 7],
    ['slot', '007', 7],
    ['slot', '0', slot],
    ['slot', '8', slot],
    ['slot', '-1', slot],
    ['slot', '', slot],
    ['slot', 'null', slot],
    ['slot', '1.0', slot],
    ['slot', 1.5, slot],
    ['slot', '1e0', slot],
    ['slot', '0x1', slot],
    ['slot', ' 1', slot],
    ['slot', '+1', slot],
    ['slot', '١', slot],
    ['slot', 'NaN', slot],
    ['slot', true, slot],
    ['slot', [1], slot],
    ['slot', { constructor: 'x' }, slot],
    ['slot', [{ constructor: 'x' }], slot],
    ['slot', null, ['must not be null']],
    ['seed', '-5', -5],
    ['seed', '-0', 0],
    ['seed', '9007199254740991', Number.MAX_SAFE_INTEGER],
    ['seed', '9007199254740992', integer],
    ['seed', '-9007199254740992', integer],
    ['seed', 9007199254740992, integer],
    ['seed', '99999999999999999999', integer],
    ['seed', Infinity, integer],
    ['parent_id', '3', 3],
    ['parent_id', '', null],
    ['parent_id', 'null', null],
    ['parent_id', null, null],
    ['parent_id', 'NULL', ['must be a positive integer']],
    ['parent_id', '0', ['must be a positive integer']],
    ['strength', '0.5', 0.5],
    ['strength', 1, 1],
    ['strength', '1.01', ['must be a number from 0 to 1']],
    ['strength', '.5', ['must be a number from 0 to 1']],
    ['strength', 'Infinity', ['must be a number from 0 to 1']],
    ['dry_run', 'true', true],
    ['dry_run', '1', true],
    ['dry_run', 1, true],
    ['dry_run', true, true],
    ['dry_run', 'false', false],
    ['dry_run', '0', false],
    ['dry_run', 'yes', ['must be true or false']],
    ['dry_run', 'TRUE', ['must be true or false']],
    ['dry_run', '', ['must be true or false']],
    ['dry_run', 2, ['must be true or false']],
    ['name', 'ab', 'ab'],
    ['name', ' a ', ' a '],
    ['name', '😀😀😀😀', '😀😀😀😀'],
    ['name', 'a', ['must have 2 to 4 characters']],
    ['name', 'abcde', ['must have 2 to 4 characters']],
    ['name', '😀😀😀😀😀', ['must have 2 to 4 characters']],
    ['name', 12, text],
    ['name', ['ab'], text],
    ['name', { then: 1 }, text],
    ['prompt', '', ''],
    ['prompt', 'null', 'null'],
    ['prompt', null, ['must not be null']],
    ['word', 'abc', 'abc'],
    ['word', 'Abc', ['must be lower-case letters']],
    ['kind', 'like', 'like'],
    ['kind', 'LIKE', ['must be like or slot']],
    ['kind', ['like'], ['must be like or slot']],
    ['image', 'https://example.com/a.png?x=1', 'https://example.com/a.png?x=1'],
    ['image', 'HTTP://localhost:9000/a b'.replace(' ', '%20'), 'HTTP://localhost:9000/a%20b'],
    ['image', 'ftp://example.com/a', ['must be an http or https URL']],
    ['image', 'javascript:alert(1)', ['must be an http or https URL']],
    ['image', '//example.com/a', ['must be an http or https URL']],
    ['image', 'https://', ['must be an http or https URL']],
    ['image', 'https://exa mple.com', ['must be an http or https URL']],
    ['image', '', ['must be an http or https URL']],
    ['image', `https://example.com/${'a'.repeat(2028)}`, `https://example.com/${'a'.repeat(2028)}`],
    ['image', `https://example.com/${'a'.repeat(2029)}`, ['must have at most 2048 characters']],
    ['email', 'Ann.Lee+x@example.co', 'Ann.Lee+x@example.co'],
    ['email', 'ann@', ['must be an e-mail address']],
    ['email', 5, ['must be an e-mail address']],
  ])('%s of %j is %j', (name, given, expected) => {
    expect(outcome({ [name]: given })).toEqual({ [name]: expected });
  });

  it('that is absent is undefined, and one that nobody declared is left out', () => {
    expect(outcome({ unknown: 1, constructor: 'x' })).toEqual({});
  });

  it('that is required must be there and not be empty; those of the class extended count too', () => {
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
    @TextField({ description: '-' })
    name!: string;

    @TimeField({ description: '-', nullable: true })
    left_at!: Date | null;
  }
  class Small {
    @ObjectField(() => Owner, { description: '-', nullable: true })
    owner!: Owner | null;

    @TextField({ description: '-', required: false, nullable: true })
    note?: string | null;
  }
  class Listed {
    @ListField(() => Owner, { description: '-' })
    owners!: Owner[];
  }
  class Free {
    @JsonField({ description: '-' })
    schema!: object;
  }
  class Deep {
    @ObjectField(() => Free, { description: '-' })
    free!: Free;
  }
  const json = (type: new () => object, body: object): string => JSON.stringify(serialize(type, body));

  it('of fixed size holds the declared fields alone, at any depth, unchanged', () => {
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
  ])('with a list or free JSON is sent as it is (%p)', (type, body) => {
    expect(serialize(type, body)).toBe(body);
  });
});
