import {
  derivedNameOf,
  NOTHING_SEEN,
  provenanceOf,
  scheduleFileDeletion,
  type Files,
  type FileToStore,
  type Mark,
  type Marking,
  type SeenPicture,
  type StoredFile,
  type Thumbnail,
} from '#files';
import type { Jobs, UnitOfWork } from '#kernel';
import { isLarge, signed } from './copies.ts';
import { isPictureType, THUMBNAIL_EDGES } from './domain/picture-type.ts';
import type {
  Derived,
  Manifests,
  PictureDerivatives,
  Preview,
  ThumbnailFile,
  ThumbnailTarget,
  Videos,
} from './ports.ts';

/** The preview of a file; a video has a duration. */
export type FilePreview = Preview & Pick<Partial<SeenPicture>, 'duration'> & Pick<Partial<Derived>, 'marking'>;

/** A file with its preview, and how it came to its mark. */
export interface MarkedFile {
  /** The file that was given, unless it was marked. */
  readonly file: string;
  readonly preview: FilePreview | null;
  readonly marking: Marking;
}

/** Stores a local file with its thumbnails; without a preview, it has no picture. See `Files.store`. */
export type StoreFile = (
  file: Pick<FileToStore, 'filename' | 'name' | 'contentType' | 'marking'> & {
    readonly file: string;
    readonly preview: FilePreview | null;
  },
) => Promise<StoredFile>;

type Owner = Pick<FileToStore, 'workspaceId' | 'personaId' | 'origin' | 'customer' | 'metadata'>;

/** Looks at local files, and stores files with their thumbnails, all or none. */
export class DerivedFiles {
  constructor(
    private readonly deps: {
      readonly files: Pick<Files, 'store'>;
      readonly derivatives: PictureDerivatives;
      readonly videos: Videos;
      readonly manifests: Pick<Manifests, 'signs' | 'sign'>;
      readonly jobs: Jobs;
      readonly unitOfWork: UnitOfWork;
    },
  ) {}

  /**
   * Decodes a picture or video, and writes its thumbnails next to the file.
   *
   * @param options.edges the thumbnails to make (default: all)
   * @param options.original target file of the picture, upright and without its metadata
   * @returns `null` for other files, such as 3D models, and for videos if this machine can't read them
   * @throws as `PictureDerivatives.derive` and `Videos.preview`
   */
  async preview(
    file: string,
    contentType: string,
    options: { readonly edges?: readonly number[]; readonly original?: string | null } = {},
  ): Promise<FilePreview | null> {
    const { edges, original = null } = options;
    const thumbnails = thumbnailsBeside(file, edges);
    if (isPictureType(contentType)) return this.deps.derivatives.derive(file, { original, thumbnails });
    return contentType.startsWith('video/') ? this.deps.videos.preview(file, thumbnails) : null;
  }

  /**
   * Decodes and marks a file: writes its thumbnails and, if it takes the mark, a copy next to it, signed where that can
   * be. Where the mark fails, the file is unmarked.
   *
   * @throws as `preview`
   */
  async mark(file: string, contentType: string, mark: Mark): Promise<MarkedFile> {
    const { derivatives, videos } = this.deps;
    const [target, thumbnails] = [{ file: `${file}-marked`, mark }, thumbnailsBeside(file)];
    const withMark = (preview: FilePreview | null, marking: Marking): Promise<MarkedFile> =>
      this.#sign({ file: marking === 'marked' ? target.file : file, preview, marking }, contentType, mark);
    if (isPictureType(contentType)) {
      const preview = await derivatives.derive(file, { original: null, thumbnails, marked: target });
      return withMark(preview, preview.marking ?? 'unmarked');
    }
    const preview = contentType.startsWith('video/') ? await videos.preview(file, thumbnails, mark) : null;
    const marking = await derivatives.writeMark(file, contentType, target).catch(() => 'unmarked' as const);
    return withMark(preview, marking);
  }

  /** Signs a new mark, and that of large thumbnails as made from the file. What carries a signature of others stays. */
  async #sign(marked: MarkedFile, contentType: string, mark: Mark): Promise<MarkedFile> {
    const { manifests } = this.deps;
    if (!manifests.signs || marked.marking === 'kept') return marked;
    const { digitalSource, identifier } = provenanceOf(mark);
    const facts = {
      digitalSource: digitalSource!,
      title: identifier ?? mark.name,
      model: mark.model ?? null,
      parent: null,
    };
    const file = await signed(manifests, { file: marked.file, contentType }, facts);
    if (file === null) return marked;
    const parent = { file, contentType };
    const thumbnails = await Promise.all(
      (marked.preview?.thumbnails ?? []).map(async (thumbnail) => {
        if (!isLarge(thumbnail)) return thumbnail;
        const copy = { file: thumbnail.file, contentType: 'image/webp' };
        return { ...thumbnail, file: (await signed(manifests, copy, { ...facts, parent })) ?? thumbnail.file };
      }),
    );
    return { file, preview: marked.preview && { ...marked.preview, thumbnails }, marking: 'signed' };
  }

  /**
   * Runs `work` with a function that stores files. If `work` fails, the deletion of the stored files is scheduled.
   *
   * @throws the error of `work`; the signal's reason when it is aborted
   */
  together<T>(owner: Owner, signal: AbortSignal | undefined, work: (store: StoreFile) => Promise<T>): Promise<T> {
    return this.#orNone(owner, signal, (keep) =>
      work(async ({ preview, ...file }) => {
        // The thumbnails first: the file is added with all that is known of it.
        const seen = await storeThumbnails(keep, file.filename, preview);
        return keep({ marking: preview?.marking ?? null, ...file, seen });
      }),
    );
  }

  /**
   * Stores the thumbnails of a stored file, and runs `save` with what was seen. If `save` returns false or fails, their
   * deletion is scheduled.
   *
   * @throws the error of `save`; the signal's reason when it is aborted
   */
  async complete(
    { workspaceId, filename }: StoredFile,
    preview: FilePreview,
    signal: AbortSignal,
    save: (seen: SeenPicture) => Promise<boolean>,
  ): Promise<void> {
    // They belong to no persona: whether they are needed depends on their picture.
    const owner = { workspaceId, personaId: null, origin: 'output' } as const;
    await this.#orNone(owner, signal, async (keep, stored) => {
      const seen = await storeThumbnails(keep, filename, preview);
      if (!(await save(seen))) await this.discard(workspaceId, stored);
    });
  }

  /** Schedules the deletion of unused files. If this fails too, the sweep deletes them. */
  async discard(workspaceId: number, fileIds: readonly number[]): Promise<void> {
    const { jobs, unitOfWork } = this.deps;
    await unitOfWork.run(() => scheduleFileDeletion(jobs, workspaceId, fileIds)).catch(() => undefined);
  }

  async #orNone<T>(
    owner: Owner,
    signal: AbortSignal | undefined,
    work: (keep: Keep, stored: readonly number[]) => Promise<T>,
  ): Promise<T> {
    const stored: number[] = [];
    const keep: Keep = async (file) => {
      signal?.throwIfAborted();
      const kept = await this.deps.files.store({ ...owner, ...file });
      stored.push(kept.id);
      return kept;
    };
    try {
      return await work(keep, stored);
    } catch (error) {
      await this.discard(owner.workspaceId, stored);
      throw error;
    }
  }
}

type Keep = (
  file: Pick<FileToStore, 'filename' | 'name' | 'contentType' | 'marking'> & {
    readonly file: string;
    readonly seen: SeenPicture;
  },
) => Promise<StoredFile>;

function thumbnailsBeside(file: string, edges: readonly number[] = THUMBNAIL_EDGES): readonly ThumbnailTarget[] {
  return edges.map((edge) => ({ edge, file: `${file}-thumbnail-${edge}` }));
}

/** Stores thumbnails, named by their picture and the length of their longer side. */
async function storeThumbnails(keep: Keep, filename: string, preview: FilePreview | null): Promise<SeenPicture> {
  if (!preview) return NOTHING_SEEN;
  const thumbnails: Thumbnail[] = [];
  for (const { file, width, height } of preview.thumbnails) {
    thumbnails.push({ key: await storeThumbnail(keep, filename, { file, width, height }), width, height });
  }
  return { ...NOTHING_SEEN, ...preview, thumbnails };
}

async function storeThumbnail(keep: Keep, of: string, { file, width, height }: ThumbnailFile): Promise<string> {
  const filename = derivedNameOf(of, `-${Math.max(width, height)}.webp`);
  const seen = { ...NOTHING_SEEN, width, height };
  return (await keep({ filename, contentType: 'image/webp', file, seen })).key;
}
