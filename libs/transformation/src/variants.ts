import {
  derivedNameOf,
  isExpired,
  NOTHING_SEEN,
  scheduleFileDeletion,
  type Files,
  type ObjectStorage,
  type StoredFile,
} from '#files';
import { DomainError, notFound, type Clock, type Jobs, type Semaphore, type UnitOfWork } from '#kernel';
import { isPictureType, isVectorType, SourceFailure, type SignCopy, type TemporaryFolders } from '#sources';
import { canonicalText, MAX_VARIANTS, negotiated, type Transformation } from './domain/transformation.ts';
import type { PictureTransforms, Source, Variant, VariantClaim, VariantFailure, VariantRecords } from './ports.ts';

/** How long a process has to make a variant; then another may. Far more than a picture takes. */
const CLAIM_MS = 60_000;
/** How long a failure is remembered: a later version may do better. */
const FAILURE_MS = 86_400_000;
/** How long a request waits for another process. */
const WAIT_MS = 20_000;
const FIRST_DELAY_MS = 20;
const LONGEST_DELAY_MS = 500;

/** How a request for a variant that was not made before has ended. */
export type VariantOutcome = 'made' | 'waited' | 'refused' | 'failed';
export const VARIANT_OUTCOMES: readonly VariantOutcome[] = ['made', 'waited', 'refused', 'failed'];

/** A variant to serve. */
export interface ServedVariant extends Variant {
  /** When its picture expires, and it with it; `null` for never. */
  readonly expiresAt: Date | null;
}

/** The task of making a variant. */
interface Order {
  readonly source: Source;
  readonly wanted: Transformation;
  readonly options: string;
}

/**
 * Variants of stored pictures, made when they are first asked for. Each is made once, however many processes are asked,
 * and is a file of its picture: counted, hidden and deleted with it.
 */
export class Variants {
  /** Variants that this process makes or waits for, by picture and options. */
  readonly #running = new Map<string, Promise<Variant>>();

  constructor(
    private readonly deps: {
      readonly records: VariantRecords;
      readonly files: Pick<Files, 'store'>;
      readonly storage: Pick<ObjectStorage, 'open'>;
      readonly transforms: PictureTransforms;
      /** Signs a large variant that carries a mark. Returns the signed file, or the variant itself. */
      readonly sign: SignCopy;
      readonly folders: TemporaryFolders;
      /** How many this process makes at a time: none of those of uploads and jobs. */
      readonly places: Semaphore;
      readonly jobs: Jobs;
      readonly unitOfWork: UnitOfWork;
      readonly clock: Clock;
      /** The operator's text of labels. A variant keeps the text with which it was made. */
      readonly label: string;
      /** Maximum size of a picture. */
      readonly maxBytes: number;
      readonly report: (outcome: VariantOutcome) => void;
    },
  ) {}

  /**
   * The variant of the file `key`.
   *
   * @param accept of the request, by which the format `auto` is negotiated
   * @throws DomainError `not_found`; `validation_failed` for what is no picture that can be transformed; `too_large`;
   * `conflict` for a further variant of a picture that has `MAX_VARIANTS`; `unavailable` when too many are being made
   */
  async of(key: string, asked: Transformation, accept?: string): Promise<ServedVariant> {
    const { records, clock, maxBytes } = this.deps;
    const source = await records.source(key);
    if (!source || isExpired(source, clock.now())) throw notFound('file');
    if (!isPictureType(source.contentType) || isVectorType(source.contentType)) throw refusalOf('not_an_image');
    if (source.size > maxBytes) throw refusalOf('picture_too_large');
    const { width, height, expiresAt } = source;
    const wanted = negotiated(asked, accept, width !== null && height !== null ? { width, height } : null);
    const variant = await this.#shared({ source, wanted, options: canonicalText(wanted) });
    return { ...variant, expiresAt };
  }

  /** Forgets a variant whose bytes are missing, and makes it anew. @throws as `of` */
  async again(lost: Variant, key: string, asked: Transformation, accept?: string): Promise<ServedVariant> {
    await this.deps.records.forget(lost.id);
    return this.of(key, asked, accept);
  }

  async #shared(order: Order): Promise<Variant> {
    const { records, clock, report } = this.deps;
    const { source, options } = order;
    const known = await records.find(source.id, options, clock.now());
    if (known?.state === 'made') return known.file;
    const id = `${source.id} ${options}`;
    const running = this.#running.get(id);
    try {
      if (!running) return await this.#start(id, order);
      const variant = await running;
      report('waited');
      return variant;
    } catch (error) {
      report(error instanceof DomainError && error.code === 'unavailable' ? 'refused' : 'failed');
      throw error;
    }
  }

  #start(id: string, order: Order): Promise<Variant> {
    const started = this.#obtain(order).finally(() => this.#running.delete(id));
    this.#running.set(id, started);
    return started;
  }

  async #obtain(order: Order): Promise<Variant> {
    const { records, places, clock, report } = this.deps;
    const { source, options } = order;
    const end = clock.now().getTime() + WAIT_MS;
    for (let delay = FIRST_DELAY_MS; ; delay = Math.min(2 * delay, LONGEST_DELAY_MS)) {
      const known = await records.find(source.id, options, clock.now());
      if (!known) throw notFound('file');
      if (known.state === 'failed') throw refusalOf(known.failure);
      if (known.state === 'made') {
        report('waited');
        return known.file;
      }
      if (known.state === 'free') {
        if (known.variants >= MAX_VARIANTS) throw full();
        const made = await places.on(1, () => this.#claimed(order));
        if (made) {
          report('made');
          return made;
        }
      } else if (clock.now().getTime() >= end) throw busy();
      await new Promise((resolve) => setTimeout(resolve, delay));
    }
  }

  /** @returns `null` when another process makes it, or the picture is deleted */
  async #claimed(order: Order): Promise<Variant | null> {
    const { records, clock } = this.deps;
    const now = clock.now();
    const claim = { sourceId: order.source.id, options: order.options, until: new Date(now.getTime() + CLAIM_MS) };
    if (!(await records.claim(claim, now))) return null;
    try {
      return await this.#make(order, claim);
    } catch (error) {
      const failure = failureOf(error);
      // The error is what callers see: a claim that can't be given up ends by itself.
      if (failure === null) await records.release(claim).catch(() => undefined);
      else await records.fail(claim, failure, new Date(now.getTime() + FAILURE_MS));
      throw failure === null ? forNow(error) : refusalOf(failure, error);
    }
  }

  async #make({ source, wanted }: Order, claim: VariantClaim): Promise<Variant | null> {
    const { storage, transforms, records, folders, label, jobs, unitOfWork } = this.deps;
    const bytes = await storage.open(source.key);
    if (!bytes) throw notFound('file');
    return folders.use(async (folder) => {
      const [file, target] = [`${folder}/picture`, `${folder}/variant`];
      await folders.save(bytes, file);
      const facts = await transforms.transform(file, target, wanted, wanted.label ? label : null);
      const signed = await this.deps.sign({ ...facts, file: target }, { file, contentType: source.contentType });
      const stored = await this.#store(source, signed, facts);
      if (await records.save(claim, stored.id)) return stored;
      await unitOfWork.run(() => scheduleFileDeletion(jobs, source.workspaceId, [stored.id]));
      return null;
    });
  }

  /** It belongs to no persona: whether it is needed depends on its picture. */
  #store(
    { workspaceId, filename }: Source,
    file: string,
    { contentType, width, height }: Awaited<ReturnType<PictureTransforms['transform']>>,
  ): Promise<StoredFile> {
    return this.deps.files.store({
      workspaceId,
      personaId: null,
      origin: 'output',
      filename: derivedNameOf(filename, `-${width}x${height}.${contentType.replace('image/', '')}`),
      contentType,
      file,
      seen: { ...NOTHING_SEEN, width, height },
    });
  }
}

function failureOf(error: unknown): VariantFailure | null {
  if (!(error instanceof SourceFailure)) return null;
  return error.code === 'picture_too_large' ? 'picture_too_large' : 'not_an_image';
}

function refusalOf(failure: VariantFailure, cause?: unknown): DomainError {
  return failure === 'picture_too_large'
    ? new DomainError('too_large', 'the picture is too large to be transformed', { cause })
    : new DomainError('validation_failed', 'the file is no picture that can be transformed: leave out the options', {
        cause,
      });
}

/** An error of this machine, such as a full disk, is not one of the picture. */
function forNow(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  return new DomainError('unavailable', 'the picture cannot be transformed now: try again', { cause: error });
}

function full(): DomainError {
  return new DomainError(
    'conflict',
    `the picture has ${MAX_VARIANTS} variants, the most there may be: ask for one of them`,
  );
}

function busy(): DomainError {
  return new DomainError('unavailable', 'too many pictures are being transformed: try again', { retrySeconds: 2 });
}
