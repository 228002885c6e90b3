import { readFile } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import type { BatchDryRunResponse, BatchResponse, CellDto } from '../generated/index.ts';
import { randomKey } from '../retrying-fetch.ts';
import type { X12 } from '../x12.ts';
import type { Call } from './command.ts';
import { Failure } from './failures.ts';
import { saveOutputs } from './outputs.ts';
import type { Session } from './session.ts';

interface Run {
  readonly name?: string;
  readonly key?: string;
  readonly out?: string;
  readonly cost?: boolean;
}

type Started = BatchResponse | BatchDryRunResponse;
type Result = CellDto & { readonly saved: readonly string[] };

/** Runs a table of calls. @throws Failure `failed` if a row has failed */
export async function run(session: Session, { args: [path], options }: Call<Run>): Promise<void> {
  const { signal } = session;
  const { name = basename(path!, extname(path!)), key = randomKey() } = options;
  const csv = await readFile(path!, 'utf8');
  const x12 = await session.client();
  if (options.cost) {
    const estimate = (await create(x12, csv, { name, dry_run: true }, randomKey(), signal)) as BatchDryRunResponse;
    return session.print(estimate, [[`${estimate.cost} credits for ${estimate.cells} rows`]]);
  }
  session.resume = `If it was started, it goes on. The same command gets its results with --key ${key}`;
  const { batch } = (await create(x12, csv, { name }, key, signal)) as BatchResponse;
  const onProgress = ({ cells }: BatchResponse['batch']) =>
    session.progress(`${cells.succeeded + cells.failed + cells.canceled} of ${cells.total} rows`);
  const ended = await x12.waitForBatch(batch.id, { signal, onProgress });
  const rows: Result[] = [];
  for await (const cell of x12.cells(batch.id, { signal })) {
    const { out } = options;
    rows.push({ ...cell, saved: out === undefined ? [] : await saveOutputs(x12, cell.generation, `${out}/`, signal) });
  }
  session.print({ batch: ended, rows }, rows.map(resultOf));
  const failed = rows.filter(({ generation }) => generation.state !== 'succeeded').length;
  if (failed > 0) throw new Failure('failed', `${failed} of ${rows.length} rows did not succeed`);
}

/** The generated call takes rows as JSON; the service reads a table itself. */
function create(x12: X12, csv: string, query: object, key: string, signal: AbortSignal): Promise<Started> {
  return x12.client.post({
    url: '/v2/batches',
    query: query as Record<string, unknown>,
    body: csv,
    bodySerializer: null,
    headers: { 'Content-Type': 'text/csv', 'Idempotency-Key': key },
    security: [{ scheme: 'bearer', type: 'http' }],
    responseStyle: 'data',
    signal,
  }) as unknown as Promise<Started>;
}

function resultOf({ cell, generation: { state, error, outputs }, saved }: Result): unknown[] {
  const shown = saved.length > 0 ? saved : outputs.map(({ url }) => url);
  return [cell, state, error ? `${error.code}: ${error.message}` : shown.join(' ')];
}
