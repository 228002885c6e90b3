import { type IDataObject, type IExecuteFunctions, NodeApiError } from 'n8n-workflow';
import { callApi, keyOf, requireSuccess } from '../transport.ts';

type Ticket = { readonly [Name in 'signed_url' | 'final_url']: string } & { readonly headers: IDataObject };

const PAGE = 200;

export async function upload(context: IExecuteFunctions, itemIndex: number) {
  const field = context.getNodeParameter('binaryField', itemIndex) as string;
  const temporary = context.getNodeParameter('temporary', itemIndex) as boolean;
  return [{ json: (await uploadBinary(context, itemIndex, field, temporary)).saved }];
}

/** Uploads a binary field of an item. A retry of the node gets the same file, and sends bytes only if they are missing. */
export async function uploadBinary(context: IExecuteFunctions, itemIndex: number, field: string, temporary: boolean) {
  const { fileName, fileExtension, id } = context.helpers.assertBinaryData(itemIndex, field);
  const name = fileName ?? `file.${fileExtension ?? 'bin'}`;
  const pid = context.getNodeParameter('personaId', itemIndex, '') || undefined;
  const body = { filename: temporary ? `x12tmp-${name}` : name, pid };
  const key = keyOf(context, itemIndex, `upload ${field}`, body);
  const { body: ticket, replayed } = await callApi<Ticket>(context, 'POST', '/v2/upload', { body, key, itemIndex });
  const { final_url: finalUrl, signed_url: url, headers } = ticket;
  const finalized = { qs: { url: finalUrl }, itemIndex };
  const finalize = async () => (await callApi(context, 'GET', '/v2/finalize_upload', finalized)).body;
  const before = replayed ? await finalize().catch(unlessNotUploaded) : null;
  if (before) return { saved: before, finalUrl };
  const { helpers } = context;
  const bytes = id ? await helpers.getBinaryStream(id) : await helpers.getBinaryDataBuffer(itemIndex, field);
  const size = id ? (await helpers.getBinaryMetadata(id)).fileSize : (bytes as Buffer).length;
  const whole = { returnFullResponse: true, ignoreHttpStatusErrors: true };
  const put = { method: 'PUT' as const, url, headers: { ...headers, 'Content-Length': size }, body: bytes, ...whole };
  requireSuccess(context.getNode(), await helpers.httpRequest(put), itemIndex);
  return { saved: await finalize(), finalUrl };
}

function unlessNotUploaded(error: unknown): null {
  if (error instanceof NodeApiError && error.context.code === 'not_uploaded') return null;
  throw error;
}

/** @returns an item for each picture, video or model that is found */
export async function find(context: IExecuteFunctions, itemIndex: number) {
  const all = context.getNodeParameter('returnAll', itemIndex) as boolean;
  const limit = all ? Infinity : (context.getNodeParameter('limit', itemIndex) as number);
  const filters = context.getNodeParameter('filters', itemIndex, {}) as IDataObject;
  const q = (context.getNodeParameter('query', itemIndex) as string) || undefined;
  const found: IDataObject[] = [];
  let cursor: unknown;
  do {
    const qs = { ...filters, q, cursor: cursor as string, limit: Math.min(limit - found.length, PAGE) };
    const { body } = await callApi(context, 'GET', '/v2/library', { qs, itemIndex });
    found.push(...(body.items as IDataObject[]));
    cursor = body.next_cursor ?? undefined;
  } while (cursor && found.length < limit);
  return found.map((json) => ({ json }));
}

/** Makes a board of the files, and a link to it. */
export async function share(context: IExecuteFunctions, itemIndex: number) {
  const name = context.getNodeParameter('shareName', itemIndex) as string;
  const options = context.getNodeParameter('shareOptions', itemIndex, {}) as IDataObject;
  const given = String(context.getNodeParameter('files', itemIndex)).split(',');
  const files = given.map((file) => file.trim()).filter(Boolean);
  const post = async (path: string, purpose: string, body: IDataObject) => {
    const key = keyOf(context, itemIndex, purpose, [files, body]);
    return (await callApi(context, 'POST', path, { body, key, itemIndex })).body;
  };
  const ids = files.filter((file) => /^\d+$/.test(file)).map(Number);
  const signed = ids.length > 0 ? (await post('/v2/files/sign', 'sign', { file_ids: ids })).urls : [];
  const urlOf = new Map((signed as IDataObject[]).map(({ file_id: id, url }) => [String(id), String(url)]));
  const board = (await post('/v2/boards', 'board', { name })).board as { id: number };
  for (const [index, file] of files.entries()) {
    await post(`/v2/boards/${board.id}/media`, `media ${index}`, { url: urlOf.get(file) ?? file });
  }
  const link = (await post('/v2/shares', 'share', { ...options, board_id: board.id })).share;
  return [{ json: link as IDataObject }];
}
