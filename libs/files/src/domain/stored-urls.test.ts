import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { filenames, someToken } from '#testing/files';
import { fileKey } from './object-key.ts';
import { StoredUrls } from './stored-urls.ts';

describe.each(['https://files.example.com', 'https://cdn.example.com/x/'])('stored URLs under %s', (base) => {
  const urls = new StoredUrls(base);

  it('are recognised with any file name', () => {
    fc.assert(
      fc.property(filenames, (filename) => {
        const key = fileKey(someToken(), filename);
        const url = urls.plainUrlOf(key);
        expect(url.startsWith(base)).toBe(true);
        expect(url.endsWith(`/${encodeURIComponent(filename)}`)).toBe(true);
        expect(urls.keyOf(url)).toBe(key);
        expect(urls.keyOf(`${url}?v=2#top`)).toBe(key);
      }),
    );
  });

  it('are distinguished from all other URLs', () => {
    const url = new URL(urls.plainUrlOf(fileKey(someToken(), 'a.png')));
    const others = [
      '',
      'a.png',
      'not a URL',
      'https://example.com/a.png',
      `https://example.com${url.pathname}`,
      `${url.origin}.example.com${url.pathname}`,
      `${url.origin}@example.com${url.pathname}`,
      url.href.replace('/a.png', ''),
      url.href.replace('/a.png', '/'),
      `${url.href}/b.png`,
      url.href.replace('a.png', 'a%2Fb.png'),
      url.href.replace('a.png', 'a%5Cb.png'),
      url.href.replace('a.png', '%00.png'),
      url.href.replace('a.png', '%2e%2e%2fa.png'),
      url.href.replace('a.png', '%ff.png'),
    ];
    for (const other of others) expect([other, urls.keyOf(other)]).toEqual([other, null]);
  });
});

it('URLs under a former base are recognised, and new ones are not made', () => {
  const key = fileKey(someToken(), 'a.png');
  const [former, other] = [new StoredUrls('http://old.example.com/a'), new StoredUrls('http://old.example.com')];
  const urls = new StoredUrls('https://new.example.com', ['http://old.example.com/a/', 'http://older.example.com']);
  expect(urls.keyOf(former.plainUrlOf(key))).toBe(key);
  expect(urls.keyOf(other.plainUrlOf(key))).toBeNull();
  expect(urls.plainUrlOf(key)).toMatch(/^https:\/\/new\.example\.com\//);
});
