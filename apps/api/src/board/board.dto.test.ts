import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { fileKey, StoredUrls } from '#files';
import { filenames, someToken } from '#testing/files';
import { wholeBoardResponse } from './board.dto.ts';

const urls = new StoredUrls('https://files.example.com');
const names = fc.oneof(filenames, fc.constantFrom('a"b.png', '"".png', '"url":"files.png'));
/** What a client may write, also to look like a member with a key. */
const texts = fc.oneof(
  fc.string(),
  fc.constantFrom('"url":"files/a/b"', '{"url":"files/a/b","key": "files/a/b"}', '","control_image":"files/a/b', '\\'),
);

it('a whole board has the URLs of its files, whatever their names, and every text of a client as it is', () => {
  fc.assert(
    fc.property(names, texts, texts, (filename, name, extras) => {
      const key = fileKey(someToken(), filename);
      const url = urls.urlOf(key);
      const board = { name, folders: [{ name: extras }] };
      const media = { url: key, control_image: key, extras, thumbnails: [{ key, width: 3 }] };
      const unprepared = { url: null, control_image: null, extras: null, thumbnails: [] };
      const text = JSON.stringify({ ...board, media: [media, unprepared] });
      expect(JSON.parse(wholeBoardResponse(text, urls).text)).toEqual({
        status: true,
        board: {
          ...board,
          media: [{ ...media, url, control_image: url, thumbnails: [{ url, width: 3 }] }, unprepared],
        },
      });
    }),
  );
});
