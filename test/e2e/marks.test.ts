/** @tier test, 30 s */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { NO_PROVENANCE } from '#files';
import { temporaryFolder } from '#testing/sources';
import { readMark } from '../../libs/adapters/images/src/marks/marks.ts';
import { eventually } from '../support/eventually.ts';
import { HAS_EXIFTOOL, readTags } from '../support/exiftool.ts';
import { ended, newClient, photo, service, upload, type Client } from '../support/generation-stage.ts';

// No lower layer has the bytes that clients download.

const URIS = 'http://cv.iptc.org/newscodes/digitalsourcetype/';

interface Shown {
  readonly url: string | null;
  readonly thumbnails: readonly { readonly url: string }[];
}

describe('the files of a generation', () => {
  const { save } = temporaryFolder();
  let client: Client;
  beforeAll(async () => {
    client = await newClient();
  });

  async function generated(form: Record<string, string | number>) {
    const { body } = await client.generate({ prompt: 'a fox', ...form });
    const { id, outputs } = await ended(client, body.generation_id);
    return { id: id as number, output: outputs[0] as Shown };
  }

  /** The marks in the bytes at URLs, as our reader and ExifTool read them. */
  async function marksAt(urls: readonly string[]) {
    const files = [];
    for (const [index, url] of urls.entries()) {
      const response = await fetch(url);
      const type = response.headers.get('content-type')!;
      files.push({ type, path: await save(Buffer.from(await response.arrayBuffer()), `file-${index}`) });
    }
    const tags = HAS_EXIFTOOL
      ? await readTags(
          files.map(({ path }) => path),
          ['XMP:all#'],
        )
      : null;
    return Promise.all(
      files.map(async ({ path, type }) => {
        const { digitalSource, creatorTool, identifier } = await readMark(path, type);
        const read = tags?.get(path);
        const names = ['XMP-iptcExt:DigitalSourceType', 'XMP-xmp:CreatorTool', 'XMP-dc:Identifier'];
        if (read) expect(names.map((name) => read[name])).toEqual([digitalSource, creatorTool, identifier]);
        return { source: digitalSource?.slice(URIS.length), creatorTool, identifier };
      }),
    );
  }
  const urlsOf = ({ url, thumbnails }: Shown) => [...(url ? [url] : []), ...thumbnails.map((each) => each.url)];

  it('say that an AI system made them, as do their thumbnails', async () => {
    const { id, output } = await generated({ model: 'local-image' });
    const marks = await marksAt(urlsOf(output));
    expect(marks.length).toBeGreaterThan(1);
    const mark = { source: 'trainedAlgorithmicMedia', creatorTool: 'x12', identifier: `generation ${id}` };
    expect(marks).toEqual(marks.map(() => mark));
    const stored = await service.database.query('select marking from files where key like $1', [
      `%${decodeURIComponent(new URL(output.url!).pathname.split('/').at(-2)!)}%`,
    ]);
    expect(stored).toEqual([{ marking: 'marked' }]);
  });

  it('say that a picture went in; and so do the copies for guests with a watermark', async () => {
    const image = await upload(client, 'fox.jpg', await photo(400, 300, '#274e13'));
    const { id, output } = await generated({ model: 'local-image', image });
    const mark = { source: 'compositeWithTrainedAlgorithmicMedia', creatorTool: 'x12', identifier: `generation ${id}` };
    const { token } = client.user;
    const board = (await service.call('POST', '/v2/boards', { token, json: { name: 'Foxes' } })).body.board.id;
    await service.call('POST', `/v2/boards/${board}/media`, { token, json: { url: output.url } });
    const json = { board_id: board, allow: ['download'], watermark: 'Draft' };
    const { body } = await service.call('POST', '/v2/shares', { token, json });
    const path = new URL(body.share.url).pathname.replace(/^\/s\//, '/v2/shared/');
    const shown = await eventually(async () => {
      const [item] = (await service.call('GET', `${path}/media`)).body.media as (Shown & { is_prepared: boolean })[];
      return item?.is_prepared && item;
    });
    const marks = await marksAt([...urlsOf(output), ...urlsOf(shown)]);
    expect(marks.length).toBeGreaterThan(3);
    expect(marks).toEqual(marks.map(() => mark));
  });

  it('say so in videos', async () => {
    const image = await upload(client, 'fox.jpg', await photo(400, 300, '#274e13'));
    const { id, output } = await generated({ model: 'local-video', image });
    const mark = { source: 'compositeWithTrainedAlgorithmicMedia', identifier: `generation ${id}` };
    expect(await marksAt(urlsOf(output))).toMatchObject(urlsOf(output).map(() => mark));
  });

  it('are the only ones: a photograph that is uploaded gets none', async () => {
    const bytes = await photo(700, 300, '#274e13');
    const url = await upload(client, 'fox.jpg', bytes);
    expect(Buffer.from(await (await fetch(url)).arrayBuffer()).equals(bytes)).toBe(true);
    expect(await readMark(await save(bytes, 'photo'), 'image/jpeg')).toMatchObject(NO_PROVENANCE);
  });
});
