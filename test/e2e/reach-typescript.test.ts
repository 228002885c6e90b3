/** @tier deep, 30 s, about libs/client */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from '@jest/globals';
import { type RunInput, X12 } from '../../libs/client/src/index.ts';
import { acceptance } from '../support/acceptance.ts';
import { eventually } from '../support/eventually.ts';
import { useReach } from '../support/reach-stage.ts';
import { prepared } from '../support/use-service.ts';

const SMALL = { model: 'local-image', width: 64, height: 64 };
const reach = useReach();
const { service, stage } = reach;
const x12 = prepared(async () => {
  const client = new X12({ baseUrl: service.baseUrl, token: stage.user.token });
  return { client, bytesAt: async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer()) };
});

/** Runs the call in a program of its own. */
const program = (input: RunInput, idempotencyKey: string) =>
  `import { X12 } from '#client';
   const x12 = new X12({ baseUrl: process.env.X12_URL, token: process.env.X12_TOKEN });
   await x12.run(${JSON.stringify(input)}, { idempotencyKey: '${idempotencyKey}' });`;
const NODE_FLAGS = ['--conditions=x12-source', '--experimental-transform-types', '--input-type=module', '-e'];

describe('the TypeScript client', () => {
  acceptance('TypeScript', {
    1: async () => {
      const stranger = new X12({ baseUrl: service.baseUrl, token: 'x12_wrong' });
      await expect(stranger.boards.list()).rejects.toMatchObject({
        code: 'unauthenticated',
        message: expect.stringContaining('Authorization: Bearer'),
      });
    },
    2: async () => {
      const { models } = await x12.client.models.list();
      expect(models).toContainEqual(expect.objectContaining({ id: 'local-image', cost: 4, cost_per: 'output' }));
    },
    3: async () => {
      const { model, outputs } = await x12.client.run({ model: 'gpt-image-1', prompt: 'a fox' });
      expect([model, outputs.length]).toEqual(['vendor-image', 1]);
    },
    4: async () => {
      const { url } = await x12.client.upload(stage.picture);
      expect((await x12.bytesAt(url)).equals(await readFile(stage.picture))).toBe(true);
    },
    5: async () => {
      const refused = x12.client.upload(stage.unsupported);
      await expect(refused).rejects.toMatchObject({ code: 'unsupported_file_type' });
    },
    6: async () => {
      const { persona } = await x12.client.personas.create({ name: 'Ada' });
      const { url: photo } = await x12.client.upload(stage.picture, { personaId: persona.id });
      await x12.client.personas.slots.fill({ persona_id: persona.id, slot: 1, photo });
      const { inputs } = await x12.client.run({ ...SMALL, pid: persona.id, prompt: 'a lake in a style' });
      expect(inputs.style_reference).toBe(photo);
    },
    7: async () => {
      const charged = await reach.charged(async () => {
        const price = await x12.client.generations.create({ ...SMALL, count: 3, prompt: 'a lake', dry_run: true });
        expect(price).toMatchObject({ cost: 12 });
      });
      expect(charged).toBe(0);
    },
    8: async () => {
      const charged = await reach.charged(async () => {
        const { outputs } = await x12.client.run({ ...SMALL, prompt: 'a lake' });
        expect(outputs).toMatchObject([{ content_type: 'image/webp', width: 64, height: 64 }]);
      });
      expect(charged).toBe(4);
    },
    9: async () => {
      const charged = await reach.charged(async () => {
        const run = () => x12.client.run({ ...SMALL, prompt: 'a lake twice' }, { idempotencyKey: 'a-lake-twice' });
        const [first, second] = [await run(), await run()];
        expect([second.id, second.outputs]).toEqual([first.id, first.outputs]);
      });
      expect(charged).toBe(4);
    },
    10: async () => {
      const input = { model: 'vendor-image', prompt: 'a heron that is killed' };
      const args = [...NODE_FLAGS, program(input, 'a-heron')];
      const charged = await reach.charged(async () => {
        await reach.killWhileWaiting(process.execPath, args, input.prompt);
        const { outputs } = await x12.client.run(input, { idempotencyKey: 'a-heron' });
        expect(outputs).toHaveLength(1);
      });
      expect(charged).toBe(3);
      expect(
        stage.vendor.submissions.filter(({ fields }) => JSON.stringify(fields).includes(input.prompt)),
      ).toHaveLength(1);
    },
    11: async () => {
      const charged = await reach.charged(async () => {
        await expect(x12.client.run({ ...SMALL, width: 1, prompt: 'a lake' })).rejects.toMatchObject({
          code: 'validation_failed',
          fields: { width: [expect.stringContaining('64')] },
        });
      });
      expect(charged).toBe(0);
    },
    12: async () => {
      stage.vendor.plan(['moderates']);
      const charged = await reach.charged(async () => {
        const failing = x12.client.run({ model: 'vendor-image', prompt: 'a bad fox' });
        await expect(failing).rejects.toMatchObject({ code: 'content_rejected' });
      });
      expect(charged).toBe(0);
    },
    13: async () => {
      const image = new File([await readFile(stage.picture)], 'style.png');
      const { inputs, outputs } = await x12.client.run({ ...SMALL, prompt: 'in oil', image });
      expect([inputs.image, outputs.length]).toEqual([expect.stringMatching(/^http/), 1]);
    },
    14: async () => {
      const { url: image } = await x12.client.upload(stage.picture);
      const started = await x12.client.generate({ model: 'local-video', image, duration: 2, width: 128, height: 128 });
      const { outputs } = await x12.client.waitFor(started.generation_id);
      expect(outputs).toMatchObject([{ content_type: 'video/mp4' }]);
    },
    15: async () => {
      const { outputs } = await x12.client.run({ ...SMALL, prompt: 'a quagga at noon' });
      const { items } = await x12.client.library.list({ q: 'quagga' });
      expect(items.map(({ url }) => url)).toEqual([outputs[0]!.url]);
    },
    16: async () => {
      const { outputs } = await x12.client.run({ ...SMALL, prompt: 'a lake to keep' });
      const path = join(stage.folder, 'kept.webp');
      await x12.client.download(outputs[0]!.url, path);
      expect((await readFile(path)).equals(await x12.bytesAt(outputs[0]!.url))).toBe(true);
    },
    17: async () => {
      const { url } = await x12.client.upload(stage.picture);
      const { board } = await x12.client.boards.create({ name: 'Portraits' });
      await x12.client.boards.media.create({ board_id: board.id, url });
      const shown = async () => (await x12.client.boards.get({ id: board.id })).board.media;
      const media = await eventually(
        async () => (await shown()).every(({ state }) => state === 'processed') && shown(),
      );
      expect(media).toMatchObject([{ content_type: 'image/png', width: 96, height: 64 }]);
    },
    18: async () => {
      const { url } = await x12.client.upload(stage.picture);
      const { board } = await x12.client.boards.create({ name: 'To share' });
      await x12.client.boards.media.create({ board_id: board.id, url });
      const { share } = await x12.client.shares.create({ board_id: board.id });
      const guest = new X12({ baseUrl: service.baseUrl, cookies: true });
      const token = share.url!.split('/').at(-1)!;
      await guest.shared.enter({ token });
      const page = await eventually(async () => {
        const { media } = await guest.shared.media.list({ token });
        return media.length > 0 && media;
      });
      expect(page).toMatchObject([{ width: 96, height: 64 }]);
    },
    19: async () => {
      const rows = ['a fox', 'a hare', 'an owl'].map((prompt) => ({ ...SMALL, prompt }));
      const batch = await x12.client.runBatch({ name: 'Animals', rows });
      const results: string[] = [];
      for await (const { cell, generation } of x12.client.cells(batch.id)) results.push(`${cell} ${generation.state}`);
      expect(results).toHaveLength(3);
      expect(results.every((each) => each.endsWith('succeeded'))).toBe(true);
    },
    20: async () => {
      const { generation_id: id } = await x12.client.generate({ ...SMALL, prompt: 'a lake that tells' });
      const stop = new AbortController();
      for await (const { type, subject } of x12.client.followEvents({ after: 0 }, { signal: stop.signal })) {
        if (subject.id !== id) continue;
        expect(type).toBe('generation.succeeded');
        stop.abort();
        break;
      }
    },
  });
});
