import { describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { ended, newClient, photo, upload } from '../support/generation-stage.ts';
describe('masks', () => {
  it('are found in a picture, with labels, and changed within by the local models', async () => {
    const client = await newClient();
    const image = await upload(client, 'image.jpg', await photo(96, 64, '#2040d0'));
    const found = await client.generate({ model: 'local-mask', image });
    await ended(client, found.body.generation_id);
    const { body } = await client.get(`/v2/results?processing_url=gen_${found.body.generation_id}`);
    expect(body.output).toEqual([
      { label: 'blue, middle', score: 1, mask: expect.stringMatching(/^data:image\/png;base64,/) },
    ]);

    const mask = await upload(
      client,
      'mask.png',
      await sharp(await photo(48, 32, '#fff'))
        .png()
        .toBuffer(),
    );
    const edit = { model: 'local-edit', image, prompt: 'dusk' };
    const { body: accepted } = await client.generate({ ...edit, mask_image: mask });
    const edited = await ended(client, accepted.generation_id);
    expect(edited).toMatchObject({
      state: 'succeeded',
      outputs: [{ content_type: 'image/png', width: 96, height: 64 }],
    });

    const used = await client.used();
    for (const [name, bytes, message] of [
      ['black.png', await photo(96, 64, '#000'), 'the mask is empty: nothing in it is white'],
      [
        'square.png',
        await photo(64, 64, '#fff'),
        'the mask must have the shape of the image: it has 64 × 64 pixels, the image 96 × 64',
      ],
    ] as const) {
      const wrong = await upload(client, name, await sharp(bytes).png().toBuffer());
      const { generation_id: id } = (await client.generate({ ...edit, mask_image: wrong })).body;
      expect(await ended(client, id)).toMatchObject({ state: 'failed', error: { code: 'invalid_input', message } });
    }
    expect(await client.used()).toBe(used);
  });
});
