import { type IDataObject, type IExecuteFunctions, type INodeExecutionData, NodeApiError } from 'n8n-workflow';
import { callApi, keyOf, requireSuccess } from '../transport.ts';

interface Ticket {
  readonly signed_url: string;
  readonly final_url: string;
  readonly headers: Record<string, string>;
}

const PAGE = 200;

export async function upload(context: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
  const field = context.getNodeParameter('binaryField', itemIndex) as string;
  const temporary = context.getNodeParameter('temporary', itemIndex) as boolean;
  const { saved } = await uploadBinary(context, itemIndex, field, temporary);
  return [{ json: saved, pairedItem: { item: itemIndex } }];
}

/** Uploads a binary field of an item. A retry of the node gets the same file, and sends bytes only if they are missing. */
export async function uploadBinary(context: IExecuteFunctions, itemIndex: number, field: string, temporary: boolean) {
  const { fileName, fileExtension, id } = context.helpers.assertBinaryData(itemIndex, field);
  const name = fileName ?? `file.${fileExtension ?? 'bin'}`;
  const pid = context.getNodeParameter('personaId', itemIndex, '') || undefined;
  const body = { filename: temporary ? `x12tmp-${name}` : name, pid };
  const key = keyOf(context, itemIndex, `upload ${field}`, body);
  const { body: ticket, replayed } = await callApi<Ticket>(context, 'POST', '/v2/upload', { body, key, itemIndex });
  const finalUrl = ticket.final_url;
  const finalize = async () =>
    (await callApi(context, 'GET', '/v2/finalize_upload', { qs: { url: finalUrl }, itemIndex })).body;
  const before = replayed ? await finalize().catch(unlessNotUploaded) : null;
  if (before) return { saved: before, finalUrl };
  const bytes = id
    ? await context.helpers.getBinaryStream(id)
    : await context.helpers.getBinaryDataBuffer(itemIndex, field);
  const size = id ? (await context.helpers.getBinaryMetadata(id)).fileSize : (bytes as Buffer).length;
  const sent = await context.helpers.httpRequest({
    method: 'PUT',
    url: ticket.signed_url,
    headers: { ...ticket.headers, 'Content-Length': size },
    body: bytes,
    returnFullResponse: true,
    ignoreHttpStatusErrors: true,
  });
  requireSuccess(context.getNode(), sent, itemIndex);
  return { saved: await finalize(), finalUrl };
}

function unlessNotUploaded(error: unknown): null {
  if (error instanceof NodeApiError && error.context.code === 'not_uploaded') return null;
  throw error;
}

/** @returns an item for each picture, video or model that is found */
export async function find(context: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
  const all = context.getNodeParameter('returnAll', itemIndex) as boolean;
  const limit = all ? Infinity : (context.getNodeParameter('limit', itemIndex) as number);
  const filters = context.getNodeParameter('filters', itemIndex, {}) as IDataObject;
  const q = (context.getNodeParameter('query', itemIndex) as string) || undefined;
  const found: IDataObject[] = [];
  let cursor: string | undefined;
  do {
    const qs = { ...filters, q, cursor, limit: Math.min(limit - found.length, PAGE) };
    const { body } = await callApi(context, 'GET', '/v2/library', { qs, itemIndex });
    found.push(...(body.items as IDataObject[]));
    cursor = (body.next_cursor as string | null) ?? undefined;
  } while (cursor && found.length < limit);
  return found.map((json) => ({ json, pairedItem: { item: itemIndex } }));
}

/** Makes a board of the files, and a link to it. */
export async function share(context: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
  const name = context.getNodeParameter('shareName', itemIndex) as string;
  const options = context.getNodeParameter('shareOptions', itemIndex, {}) as IDataObject;
  const files = String(context.getNodeParameter('files', itemIndex))
    .split(',')
    .map((file) => file.trim())
    .filter(Boolean);
  const post = async (path: string, purpose: string, body: IDataObject) => {
    const key = keyOf(context, itemIndex, purpose, [files, body]);
    return (await callApi(context, 'POST', path, { body, key, itemIndex })).body;
  };
  const ids = files.filter((file) => /^\d+$/.test(file)).map(Number);
  const signed = ids.length > 0 ? (await post('/v2/files/sign', 'sign', { file_ids: ids })).urls : [];
  const urlOf = new Map((signed as IDataObject[]).map(({ file_id: id, url }) => [String(id), String(url)]));
  const board = (await post('/v2/boards', 'board', { name })).board as IDataObject;
  for (const [index, file] of files.entries()) {
    await post(`/v2/boards/${String(board.id)}/media`, `media ${index}`, { url: urlOf.get(file) ?? file });
  }
  const { share: link } = await post('/v2/shares', 'share', { ...options, board_id: board.id });
  return [{ json: link as IDataObject, pairedItem: { item: itemIndex } }];
}
