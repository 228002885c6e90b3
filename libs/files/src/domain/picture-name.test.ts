import { describe, expect, it } from '@jest/globals';
import { downloadNameOf, nameOfSource, pictureNameOf } from './picture-name.ts';

describe('the name of a picture', () => {
  it('has 1 to 255 characters, trimmed and composed', () => {
    expect(pictureNameOf('  Caf\u0065\u0301 at dawn ')).toBe('Café at dawn');
    expect(pictureNameOf('🦊'.repeat(255))).toHaveLength(510);
    for (const refused of ['', '   ', 'a'.repeat(256), 'a'.repeat(511), 'a\nb', '\ud800']) {
      expect(() => pictureNameOf(refused)).toThrow('name must have 1 to 255 characters');
    }
  });

  it.each([
    ['https://example.com/pictures/red%20fox.jpg?w=800#top', 'red fox.jpg'],
    ['https://example.com/pictures/', 'pictures'],
    ['https://example.com', 'example.com'],
    ['https://example.com/%E0%A4%A', '%E0%A4%A'],
    ['https://example.com/a%00%0Ab.png', 'ab.png'],
    ['files/token/x12tmp-ada.png', 'ada.png'],
    [`https://example.com/${'a'.repeat(300)}.png`, 'a'.repeat(255)],
  ])('of the URL %s is that of the file in it, or the host', (url, name) => {
    expect(nameOfSource(url)).toBe(name);
  });

  it('gets the extension of its file when it is downloaded, once', () => {
    expect(downloadNameOf({ name: 'red fox', filename: 'generation-53.webp' })).toBe('red fox.webp');
    expect(downloadNameOf({ name: 'Photo.JPG', filename: 'photo.jpg' })).toBe('Photo.jpg');
    expect(downloadNameOf({ name: 'v1.2', filename: 'a.png' })).toBe('v1.2.png');
    expect(downloadNameOf({ name: 'plain', filename: 'weights' })).toBe('plain');
  });
});
