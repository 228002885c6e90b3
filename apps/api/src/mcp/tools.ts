import { z } from 'zod';
import { DomainError, invalidField, notFound } from '#kernel';
import type { GenerationResponse } from '../generation/generation.dto.ts';
import type { ModelDto } from '../generation/models.dto.ts';
import { changeTool, readTool, type Tool, type ToolApi } from './tool.ts';

/** Clients give up a call after a minute. */
export const LONGEST_WAIT_SECONDS = 40;
const SHOWN_PIXELS = 1024;
const DAY_MS = 86_400_000;

const id = (of: string) => z.int().min(1).describe(of);
const limit = z.int().min(1).max(50).default(20).describe('How many at most.');
const cursor = z.string().optional().describe('`next_cursor` of the page before.');
const picture = z.union([z.int().min(1), z.url()]).describe('A picture_id, or the http(s) URL of a picture.');

const GENERATION = {
  prompt: z.string().min(1).max(10_000).describe('What to make, in words.'),
  model: z.string().optional().describe('Id or alias of a model of list_models. Default: one that fits.'),
  persona_id: id('A persona of list_personas, whose style and pictures are used.').optional(),
  parameters: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('Parameters that the model declares in list_models, such as seed, width, height, count, duration.'),
  price_only: z.boolean().default(false).describe('True to learn what it costs: makes and charges nothing.'),
};
const COSTS =
  'Costs credits when it succeeds: see list_models, or call it with price_only. Waits for up to 40 seconds; if it is not ' +
  'done then, call wait_for_result with the generation_id. Send a request_id to make a repeated call safe.';

const shownModel = ({ id: name, title, kind, description, cost, cost_per, inputs, parameters, aliases }: ModelDto) => ({
  model: name,
  title,
  kind,
  description,
  credits: cost,
  credits_per: cost_per,
  takes_picture: inputs.image,
  takes_mask: inputs.mask,
  parameters: (parameters as { properties?: object }).properties ?? {},
  aliases,
});

function shownGeneration({ id: generation_id, state, model, cost, outputs, error }: GenerationResponse) {
  const isDone = !['queued', 'running'].includes(state);
  return {
    generation_id,
    state,
    model,
    credits: state === 'failed' || state === 'canceled' ? 0 : cost,
    pictures: outputs.map(({ file_id, url, content_type, width, height }) => ({
      picture_id: file_id,
      url,
      content_type,
      width,
      height,
    })),
    error,
    ...(isDone ? {} : { next: `call wait_for_result with generation_id ${generation_id}` }),
  };
}

type Model = Pick<ModelDto, 'id' | 'kind' | 'inputs'>;
type GenerationArguments = z.infer<z.ZodObject<typeof GENERATION>>;

/** The first model that fits, unless the caller names one. */
async function modelOf({ model }: { model?: string | undefined }, api: ToolApi, fits: (model: Model) => boolean) {
  if (model !== undefined) return model;
  const { models } = (await api.call({ method: 'GET', path: '/v2/models' })) as { models: readonly Model[] };
  const found = models.find(fits);
  if (!found) throw new DomainError('not_found', 'the service has no model for this: see list_models');
  return found.id;
}

/** The URL of a picture of the workspace without a signature, which would differ in a repeated call; or another URL. */
async function urlOf(given: number | string, api: ToolApi): Promise<string> {
  if (typeof given === 'string') return given;
  const item = await api.call({ method: 'GET', path: `/v2/library/${given}` });
  return (item.item.url as string).split('?', 1)[0]!;
}

async function generate(
  { prompt, persona_id, parameters, price_only }: Omit<GenerationArguments, 'model'>,
  inputs: { readonly model: string; readonly image?: string | null; readonly mask_image?: string | null },
  api: ToolApi,
  key: string | undefined,
): Promise<object> {
  const json = { ...parameters, ...inputs, prompt, ...(persona_id !== undefined && { pid: persona_id }) };
  const call = { method: 'POST', path: '/v2/generate' } as const;
  if (price_only) {
    const { cost, model } = await api.call({ ...call, json: { ...json, dry_run: true } });
    return { model, credits: cost, made: false };
  }
  const { generation_id } = await api.call({ ...call, json, key });
  return resultOf(generation_id, LONGEST_WAIT_SECONDS, api);
}

async function resultOf(generationId: number, seconds: number, api: ToolApi): Promise<object> {
  // A generation of another workspace is not waited for.
  await api.waitFor(generationId, seconds);
  return shownGeneration(await api.call({ method: 'GET', path: `/v2/generations/${generationId}` }));
}

const query = (values: Readonly<Record<string, string | number | undefined>>) =>
  new URLSearchParams(
    Object.entries(values).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  );

export const TOOLS: readonly Tool[] = [
  readTool('list_models', {
    title: 'List models',
    description: 'Lists the models that make pictures and videos, with the credits that each costs and what it takes.',
    fields: { kind: z.enum(['image', 'video', 'vector', 'model3d', 'mask']).optional().describe('Only this kind.') },
    async run({ kind }, api) {
      const { models } = (await api.call({ method: 'GET', path: '/v2/models' })) as { models: readonly ModelDto[] };
      return { models: models.filter((model) => kind === undefined || model.kind === kind).map(shownModel) };
    },
  }),

  readTool('list_personas', {
    title: 'List personas',
    description:
      'Lists the personas of the workspace. A persona lends its style and its pictures to what is made with it.',
    fields: { words: z.string().max(200).optional().describe('Part of the name.'), limit, cursor },
    async run({ words, ...page }, api) {
      const path = `/v2/personas?${query({ q: words, ...page })}`;
      const { personas, next_cursor } = await api.call({ method: 'GET', path });
      const shown = personas.map(({ id: persona_id, name, title, slots_filled }: Record<string, unknown>) => ({
        persona_id,
        name,
        title,
        slots_filled,
      }));
      return { personas: shown, next_cursor };
    },
  }),

  changeTool('generate_image', {
    title: 'Generate an image',
    description: `Makes a new picture from words. ${COSTS}`,
    fields: GENERATION,
    async run(args, api, key) {
      const model = await modelOf(args, api, ({ kind, inputs }) => kind === 'image' && inputs.image !== 'required');
      return generate(args, { model }, api, key('generate'));
    },
  }),

  changeTool('edit_image', {
    title: 'Edit an image',
    description: `Makes a picture from a picture and words; with a mask, changes only what is white in it. ${COSTS}`,
    fields: { ...GENERATION, picture, mask: picture.optional() },
    async run({ picture: given, mask, ...args }, api, key) {
      const model = await modelOf(args, api, ({ kind, inputs }) => {
        const takesMask = mask === undefined ? inputs.mask !== 'required' : inputs.mask !== 'none';
        return kind === 'image' && inputs.image !== 'none' && takesMask;
      });
      const mask_image = mask === undefined ? null : await urlOf(mask, api);
      return generate(args, { model, image: await urlOf(given, api), mask_image }, api, key('generate'));
    },
  }),

  changeTool('generate_video', {
    title: 'Generate a video',
    description: `Makes a video that starts at a picture, or at the main picture of a persona. ${COSTS}`,
    fields: { ...GENERATION, picture: picture.optional() },
    async run({ picture: given, ...args }, api, key) {
      const model = await modelOf(args, api, ({ kind }) => kind === 'video');
      const image = given === undefined ? null : await urlOf(given, api);
      return generate(args, { model, image }, api, key('generate'));
    },
  }),

  readTool('wait_for_result', {
    title: 'Wait for a result',
    description: 'Waits until a generation has ended, and returns its pictures or why it failed. Costs nothing.',
    fields: {
      generation_id: id('Of generate_image, edit_image or generate_video.'),
      seconds: z.int().min(0).max(LONGEST_WAIT_SECONDS).default(LONGEST_WAIT_SECONDS).describe('How long at most.'),
    },
    run: ({ generation_id, seconds }, api) => resultOf(generation_id, seconds, api),
  }),

  readTool('find_pictures', {
    title: 'Find pictures',
    description: 'Finds pictures and videos of the workspace by words of their prompt, name or tags, newest first.',
    fields: { words: z.string().max(200).optional().describe('All when left out.'), limit, cursor },
    async run({ words, ...page }, api) {
      const path = `/v2/library?${query({ q: words, sort: 'newest', ...page })}`;
      const { items, next_cursor } = await api.call({ method: 'GET', path });
      const shown = items.map(
        ({ file_id: picture_id, name, kind, prompt, url, width, height }: Record<string, unknown>) => ({
          picture_id,
          name,
          kind,
          prompt,
          url,
          width,
          height,
        }),
      );
      return { pictures: shown, next_cursor };
    },
  }),

  readTool('show_picture', {
    title: 'Show a picture',
    description: 'Shows a small version of a picture, or a frame of a video, so that you can look at it.',
    fields: { picture_id: id('Of find_pictures or a result.') },
    async run({ picture_id }, api) {
      const { item } = await api.call({ method: 'GET', path: `/v2/library/${picture_id}` });
      const { name, prompt, width, height, thumbnails } = item as Record<string, unknown> & {
        thumbnails: readonly { readonly url: string; readonly width: number }[];
      };
      const [small] = thumbnails.filter((each) => each.width <= SHOWN_PIXELS).sort((a, b) => b.width - a.width);
      if (!small) throw notFound('preview of this picture: it is still being prepared, or it has none');
      const image = { bytes: await api.bytesAt(small.url), contentType: 'image/webp' };
      return { picture_id, name, prompt, width, height, image };
    },
  }),

  readTool('list_boards', {
    title: 'List boards',
    description: 'Lists the boards of the workspace; with board_id, the pictures on that board.',
    fields: { board_id: id('A board whose pictures to list.').optional(), limit, cursor },
    async run({ board_id, ...page }, api) {
      if (board_id === undefined) {
        const { boards, next_cursor } = await api.call({ method: 'GET', path: `/boards?${query(page)}` });
        const shown = boards.map(({ id: each, name, media_count }: Record<string, unknown>) => ({
          board_id: each,
          name,
          pictures: media_count,
        }));
        return { boards: shown, next_cursor };
      }
      const { media, next_cursor } = await api.call({
        method: 'GET',
        path: `/boards/${board_id}/media?${query(page)}`,
      });
      const shown = media.map(({ id: media_id, name, url, state, error, width, height }: Record<string, unknown>) => ({
        media_id,
        name,
        url,
        state,
        error,
        width,
        height,
      }));
      return { board_id, pictures: shown, next_cursor };
    },
  }),

  changeTool('add_to_board', {
    title: 'Add pictures to a board',
    description: 'Adds pictures of the workspace to a board, or to a new board.',
    fields: {
      board_id: id('A board of list_boards.').optional(),
      new_board: z.string().min(1).max(100).optional().describe('Name of a board to create instead.'),
      picture_ids: z.array(z.int().min(1)).min(1).max(20).describe('Pictures of find_pictures or a result.'),
    },
    async run({ board_id, new_board, picture_ids }, api, key) {
      if ((board_id === undefined) === (new_board === undefined)) {
        throw invalidField('board_id', 'must be given, or new_board, and not both');
      }
      const urls = await Promise.all(picture_ids.map((each) => urlOf(each, api)));
      const created = { method: 'POST', path: '/boards', json: { name: new_board }, key: key('board') } as const;
      const board = board_id ?? ((await api.call(created)).board.id as number);
      const media_ids: number[] = [];
      for (const [at, url] of urls.entries()) {
        const json = { url };
        const path = `/boards/${board}/media`;
        const added = await api.call({ method: 'POST', path, json, key: key(`${at} ${url}`) });
        media_ids.push(added.media.id);
      }
      return { board_id: board, media_ids };
    },
  }),

  changeTool('share_pictures', {
    title: 'Share pictures',
    description:
      'Makes a link that shows a board, or some of its pictures, to anybody who has it, without an account. Add pictures ' +
      'to a board first. Ask before you share what the user did not ask you to share.',
    fields: {
      board_id: id('The whole board.').optional(),
      media_ids: z.array(z.int().min(1)).min(1).max(200).optional().describe('media_ids of list_boards instead.'),
      name: z.string().min(1).max(100).optional().describe('What visitors see as its title.'),
      may_download: z.boolean().default(false).describe('Whether visitors may download the originals.'),
      expires_in_days: z.int().min(1).max(365).default(30).describe('When the link ends.'),
    },
    async run({ may_download, expires_in_days, ...fields }, api, key) {
      // Counted from midnight, so that a repeated call is the same.
      const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
      const expires_at = new Date(today + (expires_in_days + 1) * DAY_MS).toISOString();
      const json = { ...fields, allow: may_download ? ['download'] : [], expires_at };
      const { share } = await api.call({ method: 'POST', path: '/v2/shares', json, key: key('share') });
      return { link: share.url, expires_at: share.expires_at };
    },
  }),

  readTool('credits_left', {
    title: 'Credits left',
    description: 'Tells how many credits the workspace has left this month, and how many it has used.',
    fields: {},
    async run(_, api) {
      const { credits, subscription } = await api.call({ method: 'GET', path: '/v2/credits' });
      return { ...credits, plan: subscription };
    },
  }),
];
