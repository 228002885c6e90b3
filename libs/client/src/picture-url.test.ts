import { describe, expect, it } from '@jest/globals';
import { GRID } from '../../transformation/src/domain/transformation.ts';
import { PICTURE_STEPS, pictureSrcset, pictureUrl } from './picture-url.ts';

const URL_OF_PICTURE = 'https://x12.example.com/files/a/%C3%A4%20b.png';

describe('the URL of a picture with options', () => {
  it('has those that are given', () => {
    expect(pictureUrl({ url: URL_OF_PICTURE }, { width: 640 })).toBe(`${URL_OF_PICTURE}?w=640`);
    const all = { width: 640, height: 480, fit: 'cover', quality: 65, format: 'webp', label: true } as const;
    expect(pictureUrl(URL_OF_PICTURE, all)).toBe(`${URL_OF_PICTURE}?w=640&h=480&fit=cover&q=65&fm=webp&label=true`);
    expect(pictureUrl(URL_OF_PICTURE, {})).toBe(`${URL_OF_PICTURE}?fm=auto`);
  });

  it('keeps the signature, and replaces an option', () => {
    const signed = `${URL_OF_PICTURE}?w=64&expires=5&signature=a-_b`;
    expect(pictureUrl(signed, { width: 128 })).toBe(`${URL_OF_PICTURE}?w=128&expires=5&signature=a-_b`);
  });
});

describe('the srcset of a picture', () => {
  it('names each URL with its width', () => {
    expect(pictureSrcset(URL_OF_PICTURE, [320, 640], { format: 'webp' })).toBe(
      `${URL_OF_PICTURE}?w=320&fm=webp 320w, ${URL_OF_PICTURE}?w=640&fm=webp 640w`,
    );
  });

  it('has by default the steps of the service', () => {
    expect(PICTURE_STEPS).toEqual(GRID);
    expect(pictureSrcset(URL_OF_PICTURE).split(', ')).toHaveLength(12);
  });
});
