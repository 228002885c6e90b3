import { text } from 'node:stream/consumers';
import { expect, it } from '@jest/globals';
import { withoutLongTexts } from './long-texts.ts';

/** The rest of `json`, however it is cut into chunks. */
async function shortened(json: string, maxBytes: number): Promise<string> {
  const bytes = Buffer.from(json);
  const results = new Set<string>();
  for (const size of [1, 2, 3, 7, bytes.length]) {
    const chunks = async function* () {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    };
    results.add(await text(withoutLongTexts(chunks(), maxBytes)));
  }
  expect(results.size).toBe(1);
  return [...results][0]!;
}

it.each([
  ['keeps a string of the maximum length', '["1234"]', '["1234"]'],
  ['empties a longer string', '["12345","1"]', '["","1"]'],
  ['counts bytes, not characters', '["ééé"]', '[""]'],
  ['counts escapes as written', String.raw`["\"\"","\"\"\""]`, String.raw`["\"\"",""]`],
  [
    'distinguishes an escaped quote from the end',
    String.raw`{"a":"\\","b":"12345\"67\\","c":[1,"x"]}`,
    String.raw`{"a":"\\","b":"","c":[1,"x"]}`,
  ],
  [
    'keeps everything else',
    ' { "a" : [ 1.5e300, true, null, 123456789 ] } ',
    ' { "a" : [ 1.5e300, true, null, 123456789 ] } ',
  ],
])('withoutLongTexts %s', async (_, json, expected) => {
  expect(await shortened(json, 4)).toBe(expected);
  expect(() => JSON.parse(expected)).not.toThrow();
});
