import {
  type IDataObject,
  type IExecuteFunctions,
  type INodeExecutionData,
  type JsonObject,
  NodeApiError,
  NodeOperationError,
  sleep,
} from 'n8n-workflow';
import { callApi, keyOf } from '../transport.ts';
import { uploadBinary } from './files.ts';

interface Output extends IDataObject {
  readonly url: string;
  readonly content_type: string;
}

interface Generation extends IDataObject {
  readonly id: number;
  readonly state: 'queued' | 'running' | 'succeeded' | 'failed' | 'canceled';
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly outputs: Output[];
}

const LONGEST_PAUSE_MS = 10_000;

/** Starts a generation of an item. @returns an item for each output, or the accepted call unless it waits */
export async function generate(context: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
  const dryRun = context.getNodeParameter('costOnly', itemIndex) as boolean;
  const waits = !dryRun && (context.getNodeParameter('waitForEnd', itemIndex) as boolean);
  const body = await generateBody(context, itemIndex, dryRun);
  for (let attempt = 1; ; attempt++) {
    const key = dryRun ? undefined : keyOf(context, itemIndex, `generate ${attempt}`, body);
    const accepted = await callApi(context, 'POST', '/v2/generate', { body, key, itemIndex });
    if (!waits) return [{ json: accepted.body, pairedItem: { item: itemIndex } }];
    const generation = await endOf(context, accepted.body.generation_id as number, itemIndex);
    if (generation.state === 'succeeded') return await outputItems(context, generation, itemIndex);
    // A failed generation has cost nothing: the retry of the node starts another one.
    if (!accepted.replayed) throw failureOf(context, generation, itemIndex);
  }
}

/** Waits for a generation that an earlier node has started. */
export async function collect(context: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
  const id = context.getNodeParameter('generationId', itemIndex) as number;
  const generation = await endOf(context, id, itemIndex);
  if (generation.state !== 'succeeded') throw failureOf(context, generation, itemIndex);
  return await outputItems(context, generation, itemIndex);
}

async function generateBody(context: IExecuteFunctions, itemIndex: number, dryRun: boolean): Promise<IDataObject> {
  const text = (name: string) => (context.getNodeParameter(name, itemIndex, '') as string) || undefined;
  const parameters = context.getNodeParameter('parameters', itemIndex, {}, { ensureType: 'json' }) as IDataObject;
  const binaryField = text('imageField');
  // A dry run does not read the picture: it is not uploaded for one.
  const image = binaryField && !dryRun ? await uploadBinary(context, itemIndex, binaryField, true) : undefined;
  return {
    ...parameters,
    model: text('model'),
    prompt: text('prompt'),
    pid: text('personaId'),
    image: image?.finalUrl ?? text('imageUrl'),
    ...(dryRun && { dry_run: true }),
  };
}

/** The generation once it has ended. @throws NodeOperationError after the limit of the item */
async function endOf(context: IExecuteFunctions, id: number, itemIndex: number): Promise<Generation> {
  const seconds = context.getNodeParameter('waitSeconds', itemIndex) as number;
  const end = Date.now() + seconds * 1000;
  const read = async () => (await callApi<Generation>(context, 'GET', `/v2/generations/${id}`, { itemIndex })).body;
  for (let pause = 500; ; pause = Math.min(pause * 1.5, LONGEST_PAUSE_MS)) {
    const left = end - Date.now();
    const generation = await read().catch((error: unknown) => {
      if (left > 0 && isTransient(error)) return null;
      throw error;
    });
    if (generation && !['queued', 'running'].includes(generation.state)) return generation;
    if (left <= 0) {
      throw new NodeOperationError(context.getNode(), `Generation ${id} has not ended within ${seconds} seconds`, {
        itemIndex,
        description:
          'It goes on. Retry on Fail waits for it again without another charge; so does the operation Collect.',
      });
    }
    await sleep(Math.min(pause, left), context.getExecutionCancelSignal());
  }
}

/** Reports whether a later call may succeed: the service was not reached, is overloaded or failed. */
function isTransient(error: unknown): boolean {
  if (!(error instanceof NodeApiError)) return false;
  return !error.httpCode || error.httpCode === '429' || !/^[1-4]\d\d$/.test(error.httpCode);
}

function failureOf(context: IExecuteFunctions, { id, state, error }: Generation, itemIndex: number): NodeApiError {
  const message = `Generation ${id} ${state}${error ? `: ${error.message}` : ''}`;
  const description = `${error?.code ?? state}\nNothing is charged.`;
  const failure = new NodeApiError(context.getNode(), (error ?? { state }) as JsonObject, {
    message,
    description,
    itemIndex,
  });
  Object.assign(failure.context, { code: error?.code ?? state });
  return failure;
}

async function outputItems(
  context: IExecuteFunctions,
  { outputs, status: _, ...generation }: Generation,
  itemIndex: number,
): Promise<INodeExecutionData[]> {
  const field = context.getNodeParameter('outputField', itemIndex) as string;
  const pairedItem = { item: itemIndex };
  return await Promise.all(
    outputs.map(async (output) => {
      const binary = field ? { [field]: await download(context, output, itemIndex) } : undefined;
      return { json: { ...output, generation }, binary, pairedItem };
    }),
  );
}

async function download(context: IExecuteFunctions, { url, content_type: type }: Output, itemIndex: number) {
  const name = decodeURIComponent(new URL(url).pathname.split('/').at(-1)!);
  try {
    const bytes = await context.helpers.httpRequest({ url, encoding: 'stream' });
    return await context.helpers.prepareBinaryData(bytes, name, type);
  } catch (error) {
    throw new NodeApiError(context.getNode(), error as JsonObject, { itemIndex });
  }
}
