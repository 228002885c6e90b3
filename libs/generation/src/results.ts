import type { Files, StoredUrls } from '#files';
import type { GenerationState } from './domain/generation.ts';
import type { GenerationView, GenerationViews, OutputView } from './ports.ts';

/** A mask as it is sent: a PNG as a data URI, or its URL when it is too large for that. */
export interface MaskResult {
  readonly label: string | null;
  readonly score: number | null;
  readonly mask: string;
}

/** What `/v2/results` responds with, and what webhooks carry. */
export interface Results {
  readonly processing: boolean;
  readonly processing_url: string;
  readonly progress: { readonly state: GenerationState; readonly percent: number; readonly started_at: Date | null };
  /** Once it succeeded: the URL of the output, or a list of URLs when there are several; of masks a list of them. */
  readonly output?: string | readonly string[] | readonly MaskResult[];
  /** Once it failed or was canceled. */
  readonly error?: string;
}

/** The first masks are sent; `GET /v2/generations/:id` has them all. */
const MAX_MASKS = 20;
/** Bytes of all masks that are sent as data URIs; the others are sent as URLs. */
const MAX_MASK_BYTES = 8 * 1024 * 1024;

export function processingUrlOf(generationId: number): string {
  return `gen_${generationId}`;
}

/** Progress as polling clients read it. */
export function progressOf({
  state,
  progress,
  startedAt,
}: Pick<GenerationView, 'state' | 'progress' | 'startedAt'>): Results['progress'] {
  return { state, percent: Math.round(progress * 100), started_at: startedAt };
}

/** Generations as polling clients and webhooks get them. */
export class GenerationResults {
  constructor(
    private readonly views: Pick<GenerationViews, 'get'>,
    private readonly urls: Pick<StoredUrls, 'urlOf'>,
    private readonly files: Pick<Files, 'read'>,
  ) {}

  /** @throws DomainError `not_found` when it is unknown or in another workspace; `unavailable` */
  async of(workspaceId: number, generationId: number): Promise<Results> {
    const generation = await this.views.get(workspaceId, generationId);
    return {
      processing: generation.state === 'queued' || generation.state === 'running',
      processing_url: processingUrlOf(generation.id),
      progress: progressOf(generation),
      ...(await this.#resultOf(generation)),
    };
  }

  async #resultOf({ state, outputs, error, request }: GenerationView): Promise<Pick<Results, 'output' | 'error'>> {
    if (state === 'failed') return { error: error!.message };
    if (state === 'canceled') return { error: 'the generation was canceled' };
    if (state !== 'succeeded') return {};
    if (request.kind === 'mask') return { output: await this.#masksOf(outputs.slice(0, MAX_MASKS)) };
    const all = outputs.map(({ key }) => this.urls.urlOf(key));
    return { output: all.length === 1 ? all[0]! : all };
  }

  async #masksOf(outputs: readonly OutputView[]): Promise<MaskResult[]> {
    const masks = [];
    let room = MAX_MASK_BYTES;
    for (const { key, label, score } of outputs) {
      const bytes = await this.files.read(key, room);
      room -= bytes?.length ?? 0;
      const mask = bytes ? `data:image/png;base64,${bytes.toString('base64')}` : this.urls.urlOf(key);
      masks.push({ label, score, mask });
    }
    return masks;
  }
}
