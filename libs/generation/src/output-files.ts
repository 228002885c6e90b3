import { HEAD_BYTES, scheduleFileDeletion, STORED_TYPES, type Files, type FileTypes, type StoredFile } from '#files';
import { DomainError, type Jobs } from '#kernel';
import {
  SourceFailure,
  THUMBNAIL_EDGES,
  type PictureDerivatives,
  type Preview,
  type TemporaryFolders,
  type Videos,
} from '#sources';
import type { Output, Running } from './domain/generation.ts';
import type { ModelKind } from './domain/model.ts';
import { fitsKind, isWholeGlb, labelOf, outputName, scoreOf } from './domain/output-type.ts';
import { ProviderFailure, type CheckedOutput, type Labels } from './ports.ts';

interface Collaborators {
  readonly files: Pick<Files, 'store'>;
  readonly fileTypes: FileTypes;
  readonly derivatives: PictureDerivatives;
  readonly videos: Videos;
  readonly folders: Pick<TemporaryFolders, 'head' | 'size'>;
  readonly jobs: Jobs;
  /** The largest output that is kept. */
  readonly maxBytes: number;
}

/** What a provider has made, from files of a run to stored files. */
export class OutputFiles {
  constructor(private readonly to: Collaborators) {}

  /**
   * Checks that a file is what the model makes, and completely so, and makes thumbnails of it beside it, where it has a
   * picture. The file itself stays as it is.
   *
   * @throws ProviderFailure `unusable_output`; the signal's reason when it is aborted
   */
  async check(file: string, kind: ModelKind, { label, score }: Labels, signal: AbortSignal): Promise<CheckedOutput> {
    const size = await this.to.folders.size(file);
    if (size > this.to.maxBytes) throw unusable(kind, `${size} bytes`);
    const head = await this.to.folders.head(file, HEAD_BYTES);
    const contentType = await this.to.fileTypes.detect(head);
    if (!fitsKind(kind, contentType)) throw unusable(kind, `a file of the type ${contentType ?? 'unknown'}`);
    if (kind === 'model3d' && !isWholeGlb(head, size)) throw unusable(kind, `a GLB file of ${size} bytes`);
    signal.throwIfAborted();
    const preview = await this.#preview(file, kind);
    signal.throwIfAborted();
    const { width = null, height = null, duration = null, thumbnails = [] } = preview ?? {};
    return { file, contentType, width, height, duration, thumbnails, label: labelOf(label), score: scoreOf(score) };
  }

  /**
   * Stores checked outputs and their thumbnails as files of the persona. When it fails, the deletion of those stored by
   * then is scheduled.
   *
   * @throws DomainError `unavailable`; the signal's reason when it is aborted
   */
  async store(
    { id, request }: Pick<Running, 'id' | 'request'>,
    checked: readonly CheckedOutput[],
    signal?: AbortSignal,
  ): Promise<readonly Output[]> {
    const { workspaceId, personaId } = request;
    const stored: StoredFile[] = [];
    const store = async (name: string, contentType: string, file: string): Promise<number> => {
      signal?.throwIfAborted();
      const filename = `${name}.${extensionOf(contentType)}`;
      stored.push(await this.to.files.store({ workspaceId, personaId, origin: 'output', filename, contentType, file }));
      return stored.at(-1)!.id;
    };
    const outputs: Output[] = [];
    try {
      for (const { file, thumbnails: made, ...facts } of checked) {
        const fileId = await store(`generation-${id}`, facts.contentType, file);
        const thumbnails = [];
        for (const { file, width, height } of made) {
          const name = `generation-${id}-${Math.max(width, height)}`;
          thumbnails.push({ fileId: await store(name, 'image/webp', file), width, height });
        }
        outputs.push({ ...facts, fileId, thumbnails });
      }
      return outputs;
    } catch (error) {
      await this.#delete(
        workspaceId,
        stored.map((file) => file.id),
      );
      throw error;
    }
  }

  /** Schedules the deletion of outputs that were stored for nothing. */
  async discard({ request }: Pick<Running, 'request'>, outputs: readonly Output[]): Promise<void> {
    const fileIds = outputs.flatMap(({ fileId, thumbnails }) => [fileId, ...thumbnails.map((each) => each.fileId)]);
    await this.#delete(request.workspaceId, fileIds);
  }

  #delete(workspaceId: number, fileIds: readonly number[]): Promise<void> {
    return scheduleFileDeletion(this.to.jobs, workspaceId, fileIds);
  }

  /** `null` for what has no picture, and for a video where this machine can't read videos. */
  async #preview(file: string, kind: ModelKind): Promise<(Preview & { readonly duration?: number | null }) | null> {
    if (kind === 'model3d') return null;
    const targets = THUMBNAIL_EDGES.map((edge) => ({ edge, file: `${file}-thumbnail-${edge}` }));
    try {
      if (kind === 'video') return await this.to.videos.preview(file, targets);
      return await this.to.derivatives.derive(file, { original: null, thumbnails: targets });
    } catch (error) {
      const isUnreadable = error instanceof SourceFailure || error instanceof DomainError;
      throw isUnreadable ? unusable(kind, error) : error;
    }
  }
}

function unusable(kind: ModelKind, cause: unknown): ProviderFailure {
  return new ProviderFailure('unusable_output', `the model did not make a usable ${outputName(kind)}`, { cause });
}

function extensionOf(contentType: string): string {
  return Object.entries(STORED_TYPES).find(([, type]) => type === contentType)![0];
}
