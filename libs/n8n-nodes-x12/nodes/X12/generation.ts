import type { IDataObject, IExecuteFunctions, JsonObject } from 'n8n-workflow';
import { NodeApiError, NodeOperationError, sleep } from 'n8n-workflow';
import { apiError, callApi, keyOf } from '../transport.ts';
import { uploadBinary } from './files.ts';

interface Generation extends IDataObject {
  readonly id: number;
  readonly state: 'queued' | 'running' | 'succeeded' | 'failed' | 'canceled';
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly outputs: { readonly url: string; readonly content_type: string }[];
}

const LONGEST_PAUSE_MS = 10_000;
const GOES_ON = 'It goes on. Retry on Fail waits for it again without another charge; so does the operation Collect.';

/** @returns an item for each output; without a wait the accepted call */
export async function generate(context: IExecuteFunctions, itemIndex: number) {
  const dryRun = context.getNodeParameter('costOnly', itemIndex) as boolean;
  const body = await generateBody(context, itemIndex, dryRun);
  for (let attempt = 1; ; attempt++) {
    const key = dryRun ? undefined : keyOf(context, itemIndex, `generate ${attempt}`, body);
    const accepted = await callApi(context, 'POST', '/v2/generate', { body, key, itemIndex });
    if (dryRun || !context.getNodeParameter('waitForEnd', itemIndex)) return [{ json: accepted.body }];
    const generation = await endOf(context, accepted.body.generation_id as number, itemIndex);
    // A failed generation costs nothing: the retry of the node starts another one.
    if (generation.state === 'succeeded' || !accepted.replayed)
      return await outputItems(context, generation, itemIndex);
  }
}

/** Waits for a generation that an earlier node has started. */
export async function collect(context: IExecuteFunctions, itemIndex: number) {
  const id = context.getNodeParameter('generationId', itemIndex) as number;
  return await outputItems(context, await endOf(context, id, itemIndex), itemIndex);
}

async function generateBody(context: IExecuteFunctions, itemIndex: number, dryRun: boolean): Promise<IDataObject> {
  const text = (name: string) => (context.getNodeParameter(name, itemIndex, '') as string) || undefined;
  const parameters = context.getNodeParameter('parameters', itemIndex, {}, { ensureType: 'json' }) as IDataObject;
  const field = text('imageField');
  // A dry run needs no picture: it is not uploaded for one.
  const image = field && !dryRun ? (await uploadBinary(context, itemIndex, field, true)).finalUrl : text('imageUrl');
  const given = { model: text('model'), prompt: text('prompt'), pid: text('personaId'), image };
  return { ...parameters, ...given, ...(dryRun && { dry_run: true }) };
}

/** The generation once it has ended. @throws NodeOperationError after the limit of the item */
async function endOf(context: IExecuteFunctions, id: number, itemIndex: number): Promise<Generation> {
  const seconds = context.getNodeParameter('waitSeconds', itemIndex) as number;
  const end = Date.now() + seconds * 1000;
  for (let pause = 500; ; pause = Math.min(pause * 1.5, LONGEST_PAUSE_MS)) {
    const left = end - Date.now();
    const read = callApi<Generation>(context, 'GET', `/v2/generations/${id}`, { itemIndex });
    const generation = await read.then(
      ({ body }) => body,
      (error: unknown) => {
        if (left > 0 && isTransient(error)) return null;
        throw error;
      },
    );
    if (generation && !['queued', 'running'].includes(generation.state)) return generation;
    if (left <= 0) {
      const message = `Generation ${id} has not ended within ${seconds} seconds`;
      throw new NodeOperationError(context.getNode(), message, { itemIndex, description: GOES_ON });
    }
    await sleep(Math.min(pause, left), context.getExecutionCancelSignal());
  }
}

/** Reports whether a later call may succeed: the service was not reached, is overloaded or failed. */
const isTransient = (error: unknown): boolean =>
  error instanceof NodeApiError && (error.httpCode === '429' || !/^[1-4]\d\d$/.test(error.httpCode ?? ''));

/** @throws NodeApiError unless the generation succeeded */
async function outputItems(context: IExecuteFunctions, generation: Generation, itemIndex: number) {
  const { outputs, status: _, ...json } = generation;
  const { id, state, error } = generation;
  if (state !== 'succeeded') {
    const message = `Generation ${id} ${state}, and costs nothing. ${error?.message ?? ''}`;
    throw apiError(context.getNode(), { code: error?.code ?? state, message }, itemIndex);
  }
  const field = context.getNodeParameter('outputField', itemIndex) as string;
  const download = async (url: string, type: string) => {
    const bytes = await context.helpers.httpRequest({ url, encoding: 'stream' });
    const name = decodeURIComponent(new URL(url).pathname.split('/').at(-1)!);
    return { [field]: await context.helpers.prepareBinaryData(bytes, name, type) };
  };
  const toItem = async (output: Generation['outputs'][number]) => {
    const binary = field ? await download(output.url, output.content_type) : undefined;
    return { json: { ...output, generation: json }, binary };
  };
  return await Promise.all(outputs.map(toItem)).catch((reason: JsonObject) => {
    throw new NodeApiError(context.getNode(), reason, { itemIndex });
  });
}
