import type { Files, FileUrls, WorkspaceUrls } from '#files';
import type { CustomData } from '#kernel';
import type { GenerationState } from './domain/generation.ts';
import type { GenerationView, GenerationViews, OutputView } from './ports.ts';

/** A mask in a response: a PNG as a data URI, or its URL when the data URI would be too large. */
export interface MaskResult {
  readonly label: string | null;
  readonly score: number | null;
  readonly mask: string;
}

/** The response of `/v2/results` and the body of webhooks. */
export interface Results extends CustomData {
  readonly processing: boolean;
  readonly processing_url: string;
  readonly progress: { readonly state: GenerationState; readonly percent: number; readonly started_at: Date | null };
  /** After success: the URL of the output, or a list of URLs when there are several; for a mask model a list of masks. */
  readonly output?: string | readonly string[] | readonly MaskResult[];
  /** After a failure or cancellation. */
  readonly error?: string;
}

/** Maximum masks in a response; `GET /v2/generations/:id` lists all. */
const MAX_MASKS = 20;
/** Maximum total bytes of masks sent as data URIs; further masks are sent as URLs. */
const MAX_MASK_BYTES = 8 * 1024 * 1024;

export function processingUrlOf(generationId: number): string {
  return `gen_${generationId}`;
}

/** The progress of a generation in responses and webhooks. */
export function progressOf({
  state,
  progress,
  startedAt,
}: Pick<GenerationView, 'state' | 'progress' | 'startedAt'>): Results['progress'] {
  return { state, percent: Math.round(progress * 100), started_at: startedAt };
}

/** The results of generations, for polling clients and webhooks. */
export class GenerationResults {
  constructor(
    private readonly views: Pick<GenerationViews, 'get'>,
    private readonly urls: Pick<WorkspaceUrls, 'of'>,
    private readonly files: Pick<Files, 'read'>,
  ) {}

  /** @throws DomainError `not_found` when the generation is unknown or in another workspace; `unavailable` */
  async get(workspaceId: number, generationId: number): Promise<Results> {
    const generation = await this.views.get(workspaceId, generationId);
    return {
      processing: generation.state === 'queued' || generation.state === 'running',
      processing_url: processingUrlOf(generation.id),
      progress: progressOf(generation),
      customer: generation.request.customer,
      metadata: generation.request.metadata,
      ...(await this.#resultOf(workspaceId, generation)),
    };
  }

  async #resultOf(
    workspaceId: number,
    { state, outputs, error, request }: GenerationView,
  ): Promise<Pick<Results, 'output' | 'error'>> {
    if (state === 'failed') return { error: error!.message };
    if (state === 'canceled') return { error: 'the generation was canceled' };
    if (state !== 'succeeded') return {};
    const urls = await this.urls.of(workspaceId);
    if (request.kind === 'mask') return { output: await this.#masksOf(outputs.slice(0, MAX_MASKS), urls) };
    const all = outputs.map(({ key }) => urls.urlOf(key));
    return { output: all.length === 1 ? all[0]! : all };
  }

  async #masksOf(outputs: readonly OutputView[], urls: FileUrls): Promise<MaskResult[]> {
    const masks = [];
    let room = MAX_MASK_BYTES;
    for (const { key, label, score } of outputs) {
      const bytes = await this.files.read(key, room);
      room -= bytes?.length ?? 0;
      const mask = bytes ? `data:image/png;base64,${bytes.toString('base64')}` : urls.urlOf(key);
      masks.push({ label, score, mask });
    }
    return masks;
  }
}
