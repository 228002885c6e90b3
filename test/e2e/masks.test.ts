/** @tier test */
import { expect, it } from '@jest/globals';
import { ended, newClient, photo, upload } from '../support/generation-stage.ts';
it('masks are found in a picture, with labels, and sent as data', async () => {
  const client = await newClient();
  const image = await upload(client, 'image.jpg', await photo(96, 64, '#2040d0'));
  const found = await client.generate({ model: 'local-mask', image });
  await ended(client, found.body.generation_id);
  const { body } = await client.get(`/v2/results?processing_url=gen_${found.body.generation_id}`);
  expect(body.output).toEqual([
    { label: 'blue, middle', score: 1, mask: expect.stringMatching(/^data:image\/png;base64,/) },
  ]);
});
