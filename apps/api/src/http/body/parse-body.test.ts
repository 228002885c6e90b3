import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { refused } from '#testing/kernel';
import { parseBody } from './parse-body.ts';

const FORM = 'multipart/form-data; boundary=XX';
const URLENCODED = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';

/** A multipart body as clients write it: parts with CRLF between boundaries. */
function multipart(...parts: readonly string[]): string {
  return [...parts.map((part) => `--XX\r\n${part}\r\n`), '--XX--\r\n'].join('');
}

function part(name: string, value: string, more = ''): string {
  return `Content-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}`;
}

function parse(body: string | Buffer, type: string | undefined) {
  return parseBody(typeof body === 'string' ? Buffer.from(body) : body, type);
}

const refusal = (body: string | Buffer, type: string | undefined) => refused(parse(body, type));

describe('a request body', () => {
  const fields = { name: 'Ünï © 日本 😀 & = + % "x"', empty: '', slot: '7', 'a[b]': 'flat', constructor: 'x' };

  it('has the same fields in each of the three types', async () => {
    const asMultipart = multipart(...Object.entries(fields).map(([name, value]) => part(name, value)));
    expect({ ...(await parse(asMultipart, FORM)) }).toEqual(fields);
    expect({ ...(await parse(String(new URLSearchParams(fields)), URLENCODED)) }).toEqual(fields);
    expect({ ...(await parse(JSON.stringify(fields), JSON_TYPE)) }).toEqual(fields);
  });

  it('is read whole, whatever text its fields have', async () => {
    const text = fc.string({ unit: 'grapheme' }).filter((value) => !value.includes('\0'));
    const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).filter((key) => !/[\0\r\n"\\]/.test(key));
    await fc.assert(
      fc.asyncProperty(fc.dictionary(name, text, { minKeys: 1, noNullPrototype: true }), async (record) => {
        const form = new FormData();
        for (const [key, value] of Object.entries(record)) form.append(key, value);
        const encoded = new Response(form);
        // As browsers do, FormData sends line breaks as CRLF and percent-encodes a few characters of names.
        const plain = Object.entries(record).every(
          ([key, value]) => !/[\r\n]/.test(value) && !/%(0a|0d|22)/i.test(key),
        );
        if (plain) {
          const body = Buffer.from(await encoded.arrayBuffer());
          expect({ ...(await parse(body, encoded.headers.get('content-type')!)) }).toEqual(record);
        }
        expect({ ...(await parse(JSON.stringify(record), JSON_TYPE)) }).toEqual(record);
        const pairs = Object.entries(record).map((pair) => pair.map(encodeURIComponent).join('='));
        expect({ ...(await parse(pairs.join('&'), URLENCODED)) }).toEqual(record);
      }),
    );
  });

  it.each([undefined, FORM, URLENCODED, JSON_TYPE, 'text/plain'])(
    'that is empty is a form without fields (%s)',
    async (type) => {
      expect(await parse('', type)).toEqual({});
    },
  );

  it('may name its type in upper case and with parameters', async () => {
    expect({ ...(await parse('{"a":1}', 'Application/JSON; charset="UTF-8"')) }).toEqual({ a: 1 });
    expect({ ...(await parse('a=1', `${URLENCODED};charset=utf-8`)) }).toEqual({ a: '1' });
    const quoted = 'multipart/form-data; charset=utf-8; boundary="XX"';
    expect({ ...(await parse(multipart(part('a', '1')), quoted)) }).toEqual({ a: '1' });
  });

  it('may have a field without value, a part with a type, a preamble and an epilogue', async () => {
    expect({ ...(await parse('a&b=&&c=1', URLENCODED)) }).toEqual({ a: '', b: '', c: '1' });
    const typed = part('a', '1').replace('\r\n', '\r\nContent-Type: text/plain; charset=utf-8\r\n');
    expect({ ...(await parse(`hello\r\n${multipart(typed)}goodbye`, FORM)) }).toEqual({ a: '1' });
  });

  it('of JSON keeps the types of its values', async () => {
    const body = '{"n":1,"t":true,"z":null,"o":{"a":[1,"x"]}}';
    expect({ ...(await parse(body, JSON_TYPE)) }).toEqual({ n: 1, t: true, z: null, o: { a: [1, 'x'] } });
  });

  it('never reaches a prototype', async () => {
    for (const [body, type] of [
      ['{"__proto__":{"x":1}}', JSON_TYPE],
      ['__proto__=1', URLENCODED],
      [multipart(part('__proto__', '1')), FORM],
    ] as const) {
      const record = await parse(body, type);
      expect(Object.getPrototypeOf(record)).toBe(null);
      expect(Object.keys(record)).toEqual(['__proto__']);
    }
  });

  it.each([
    'text/plain',
    'application/xml',
    'multipart/mixed; boundary=XX',
    'application/json; charset=utf-16',
    undefined,
    'nonsense',
  ])('of another type is refused (%s)', async (type) => {
    expect((await refusal('{"a":1}', type)).code).toBe('unsupported_media_type');
  });

  const malformed: readonly (readonly [string, string | Buffer, string])[] = [
    ['multipart without a boundary', multipart(part('a', '1')), 'multipart/form-data'],
    ['multipart with an empty boundary', multipart(part('a', '1')), 'multipart/form-data; boundary='],
    ['multipart with another boundary than announced', multipart(part('a', '1')), FORM.replace('XX', 'YY')],
    ['multipart that is only a boundary', '--XX', FORM],
    ['multipart that ends within a value', `--XX\r\n${part('a', '1')}`, FORM],
    ['multipart that ends within the headers', '--XX\r\nContent-Dispo', FORM],
    ['multipart without its last boundary', `--XX\r\n${part('a', '1')}\r\n--XX\r\n`, FORM],
    ['multipart with a part without name', multipart('Content-Disposition: form-data\r\n\r\n1'), FORM],
    ['multipart with an empty name', multipart(part('', '1')), FORM],
    ['multipart with a header without colon', multipart(`Nonsense\r\n${part('a', '1')}`), FORM],
    ['multipart with a control character in a header', multipart(`X\x01Y: 1\r\n${part('a', '1')}`), FORM],
    ['multipart with headers without end', `--XX\r\nX: ${'x'.repeat(100_000)}\r\n\r\n1\r\n--XX--`, FORM],
    ['multipart with a file', multipart(part('photo', 'x', '; filename="a.png"')), FORM],
    [
      'multipart with a file without name',
      multipart(part('photo', 'x', '; filename=""').replace('\r\n', '\r\nContent-Type: application/octet-stream\r\n')),
      FORM,
    ],
    ['multipart that is JSON', '{"a":1}', FORM],
    ['multipart with a field twice', multipart(part('a', '1'), part('a', '2')), FORM],
    ['multipart that is not UTF-8', Buffer.from(multipart(part('a', '\xff')), 'latin1'), FORM],
    ['multipart with a NUL', multipart(part('a', 'x\0y')), FORM],
    ['multipart with too many fields', multipart(...Array.from({ length: 201 }, (_, i) => part(`f${i}`, ''))), FORM],
    ['multipart with a name too long', multipart(part('n'.repeat(201), '1')), FORM],
    ['a form with broken percent-encoding', 'a=%zz', URLENCODED],
    ['a form with percent-encoding that is not UTF-8', 'a=%ff', URLENCODED],
    ['a form with a NUL', 'a=x%00y', URLENCODED],
    ['a form with half a surrogate pair', 'a=%ED%A0%80', URLENCODED],
    ['a form with a field twice', 'a=1&b=2&a=3', URLENCODED],
    ['a form with a field twice, once encoded', 'a=1&%61=2', URLENCODED],
    ['a form without names', '=1', URLENCODED],
    ['a form that is not UTF-8', Buffer.from('a=\xff', 'latin1'), URLENCODED],
    ['JSON that ends early', '{"a":', JSON_TYPE],
    ['JSON that is no JSON', 'name=x', JSON_TYPE],
    ['JSON that is an array', '[{"a":1}]', JSON_TYPE],
    ['JSON that is null', 'null', JSON_TYPE],
    ['JSON that is a string', '"a"', JSON_TYPE],
    ['JSON with a field twice', '{"a":1,"b":{"a":1},"a":2}', JSON_TYPE],
    ['JSON with a field twice, once escaped', String.raw`{"a":1,"\u0061":2}`, JSON_TYPE],
    ['JSON with a NUL', String.raw`{"a":"x\u0000y"}`, JSON_TYPE],
    ['JSON with half a surrogate pair', String.raw`{"a":"\ud83d"}`, JSON_TYPE],
    ['JSON with a NUL deep in a value', String.raw`{"a":[{"b":"\u0000"}]}`, JSON_TYPE],
    ['JSON with a NUL in a name', String.raw`{"a":{"\u0000":1}}`, JSON_TYPE],
    ['JSON nested deeper than any database takes', `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, JSON_TYPE],
    ['JSON with a NUL after a backslash', String.raw`{"a":"\\\u0000"}`, JSON_TYPE],
    ['JSON with two halves in the wrong order', String.raw`{"a":"\udc00\ud83d"}`, JSON_TYPE],
    ['JSON with half a surrogate pair before a pair', String.raw`{"a":"\ud83d\ud83d\ude00"}`, JSON_TYPE],
    ['JSON with a name too long', JSON.stringify({ ['n'.repeat(201)]: 1 }), JSON_TYPE],
    ['a form of separators', '&'.repeat(1_000_000), URLENCODED],
    ['JSON that is not UTF-8', Buffer.from('{"a":"\xff"}', 'latin1'), JSON_TYPE],
  ];
  it.each(malformed)('is refused as invalid: %s', async (_, body, type) => {
    const error = await refusal(body, type);
    expect(error.code).toBe('validation_failed');
    expect(Object.keys(error.fields!)).toHaveLength(1);
  });

  it('names the field that is given twice or is a file', async () => {
    expect((await refusal('slot=1&slot=2', URLENCODED)).fields).toEqual({ slot: ['is given more than once'] });
    expect((await refusal('{"slot":1,"slot":1}', JSON_TYPE)).message).toBe('slot is given more than once');
    const file = multipart(part('photo', 'x', '; filename="a.png"'));
    expect((await refusal(file, FORM)).message).toMatch(/^photo must be a field, not a file/);
  });

  it('may use a name again deeper down, and names that look like syntax', async () => {
    const body = String.raw`{"a":{"a":1,"b":2},"b":[{"b":1},{"b":2}],"\"},{\"a\":":"\\","c":"{\"a\":1,"}`;
    expect(Object.keys(await parse(body, JSON_TYPE))).toEqual(['a', 'b', '"},{"a":', 'c']);
  });

  it('of JSON may contain escaped characters of all kinds, and backslashes', async () => {
    const text = String.raw`{"a":"\ud83d\ude00 \\u0000 \\\\ \u00e9 \"","\u0062":1}`;
    expect({ ...(await parse(text, JSON_TYPE)) }).toEqual(JSON.parse(text));
  });

  const nested = (depth: number) => `{"a":${'['.repeat(depth)}1${']'.repeat(depth)}}`;
  const wide = (values: number) => `{"a":[${Array(values).fill('0').join(',')}]}`;

  it('of JSON may be nested 32 deep within a field, and have 50,000 values', async () => {
    expect(Object.keys(await parse(nested(32), JSON_TYPE))).toEqual(['a']);
    const tooDeep = { a: ['must not be nested deeper than 32'] };
    expect((await refusal(nested(33), JSON_TYPE)).fields).toEqual(tooDeep);
    expect((await parse(wide(49_999), JSON_TYPE)).a).toHaveLength(49_999);
    expect((await refusal(wide(50_000), JSON_TYPE)).fields).toEqual({ body: ['must have at most 50000 values'] });
  });

  const parts = (count: number) => multipart(...Array.from({ length: count }, (_, index) => part(`f${index}`, 'x')));
  it.each<[what: string, body: string, type: string]>([
    ['a million lists in each other', `{"a":${'['.repeat(1_000_000)}`, JSON_TYPE],
    ['many names in many objects', `{"a":[${'{"b":1},'.repeat(110_000)}0]}`, JSON_TYPE],
    ['many empty texts', `{"a":[${'"",'.repeat(330_000)}0]}`, JSON_TYPE],
    ['many backslashes', `{"a":"${'\\\\'.repeat(500_000)}`, JSON_TYPE],
    ['many quotes', '"'.repeat(1_000_000), JSON_TYPE],
    ['one long name', `{"${'a'.repeat(1_000_000)}":1}`, JSON_TYPE],
    ['many fields of a form', 'a&'.repeat(500_000), URLENCODED],
    ['many blanks of a form', `a=${'+'.repeat(1_000_000)}%zz`, URLENCODED],
    ['many parts', parts(10_000), FORM],
    ['many boundaries', '--XX\r\n'.repeat(160_000), FORM],
  ])('of a megabyte is refused soon: %s', async (_, body, type) => {
    await refusal(body, type);
    const before = process.threadCpuUsage();
    const { code } = await refusal(body, type);
    const { user, system } = process.threadCpuUsage(before);
    expect(code).toBe('validation_failed');
    expect((user + system) / 1000).toBeLessThan(100);
  });

  it('may have 200 fields and names of 200 characters', async () => {
    const many = Array.from({ length: 200 }, (_, i) => part(`${i}`.padEnd(200, 'n'), ''));
    expect(Object.keys(await parse(multipart(...many), FORM))).toHaveLength(200);
  });
});

describe('a body on a route that takes a file', () => {
  const file = { field: 'file', maxBytes: 10 };
  const bytes = Buffer.from([0xff, 0xd8, 0x00, 0x80]);
  const inForm = (name: string) =>
    Buffer.concat([
      Buffer.from(`--XX\r\nContent-Disposition: form-data; name="${name}"; filename="a.jpg"\r\n\r\n`),
      bytes,
      Buffer.from(`\r\n${multipart(part('url', 'x'))}`),
    ]);

  it('has its bytes, alone or in a form with other fields', async () => {
    expect({ ...(await parseBody(bytes, 'image/jpeg', { file })) }).toEqual({ file: bytes });
    expect({ ...(await parseBody(inForm('file'), FORM, { file })) }).toEqual({ file: bytes, url: 'x' });
    expect({ ...(await parseBody(Buffer.from('{"url":"x"}'), JSON_TYPE, { file })) }).toEqual({ url: 'x' });
  });

  it('has no file under another name', async () => {
    expect((await refused(parseBody(inForm('other'), FORM, { file }))).code).toBe('validation_failed');
  });
});
