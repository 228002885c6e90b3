import type { Model, ModelKind } from '#catalogue';
import {
  digitalSourceOf,
  HEAD_BYTES,
  PRIVATE_TYPES,
  STORED_TYPES,
  type FileTypes,
  type Mark,
  type Marking,
} from '#files';
import { DomainError } from '#kernel';
import { SourceFailure, type DerivedFiles, type TemporaryFolders } from '#sources';
import type { Output, Running } from './domain/generation.ts';
import type { MadeFrom } from './domain/input-set.ts';
import { outputNameOf } from './domain/output-name.ts';
import { fitsKind, isWholeGlb, labelOf, maxOutputBytes, outputName, scoreOf } from './domain/output-type.ts';
import { styleFileType, styleFileTypesOf } from './domain/trained-style.ts';
import { ProviderFailure, type CheckedOutput, type Labels } from './ports.ts';

/** The settings of marks: how outputs are marked, and by which name. */
export interface ProvenanceRules {
  readonly mode: 'off' | 'mark' | 'sign';
  readonly name: string;
}

interface Collaborators {
  readonly derived: DerivedFiles;
  readonly fileTypes: FileTypes;
  readonly folders: Pick<TemporaryFolders, 'head' | 'size'>;
  /** Maximum size of an output. */
  readonly maxBytes: number;
  readonly provenance: ProvenanceRules;
  /** Counts stored outputs by how they came to their marks. */
  readonly report: (marking: Marking) => void;
}

/** Checks the outputs of providers and stores them. */
export class OutputFiles {
  constructor(private readonly deps: Collaborators) {}

  /**
   * Checks that a file is complete and of the model's kind, and creates its thumbnails and, unless that is switched off,
   * a copy with a mark beside it. The file itself is not changed. No output fails for its mark.
   *
   * @throws ProviderFailure `unusable_output`; the signal's reason when it is aborted
   */
  async check(
    file: string,
    model: Pick<Model, 'id' | 'kind' | 'result'>,
    { label, score }: Labels,
    from: MadeFrom,
    signal: AbortSignal,
  ): Promise<CheckedOutput> {
    const { kind } = model;
    const size = await this.deps.folders.size(file);
    if (size > maxOutputBytes(kind, this.deps.maxBytes)) throw unusable(kind, `${size} bytes`);
    const head = await this.deps.folders.head(file, HEAD_BYTES);
    if (kind === 'style') return checkedStyle(file, model, head, size);
    const contentType = await this.deps.fileTypes.detect(head);
    if (!fitsKind(kind, contentType)) throw unusable(kind, `a file of the type ${contentType ?? 'unknown'}`);
    if (kind === 'model3d' && !isWholeGlb(head, size)) throw unusable(kind, `a GLB file of ${size} bytes`);
    signal.throwIfAborted();
    const seen = await this.#marked(file, contentType, model.id, from).catch((error: unknown) => {
      const isUnreadable = error instanceof SourceFailure || error instanceof DomainError;
      throw isUnreadable ? unusable(kind, error) : error;
    });
    signal.throwIfAborted();
    return { ...seen, contentType, label: labelOf(label), score: scoreOf(score) };
  }

  async #marked(file: string, contentType: string, model: string, { generationId, hasPictures }: MadeFrom) {
    const { derived, provenance } = this.deps;
    if (provenance.mode === 'off') return { file, preview: await derived.preview(file, contentType), marking: null };
    const mark: Mark = { source: digitalSourceOf({ hasPictures }), name: provenance.name, generationId, model };
    return derived.mark(file, contentType, mark);
  }

  /**
   * Stores checked outputs and their thumbnails as files of the persona; a trained style as a private file. On failure,
   * schedules the deletion of the files stored so far.
   *
   * @throws DomainError `unavailable`; the signal's reason when it is aborted
   */
  store(
    { id, request }: Pick<Running, 'id' | 'request'>,
    checked: readonly CheckedOutput[],
    signal?: AbortSignal,
  ): Promise<readonly Output[]> {
    const { workspaceId, personaId, customer, metadata } = request;
    const owner = { workspaceId, personaId, customer, metadata, origin: 'output' } as const;
    return this.deps.derived.together(owner, signal, async (store) => {
      const outputs: Output[] = [];
      for (const { label, score, ...file } of checked) {
        const filename = `generation-${id}.${extensionOf(file.contentType)}`;
        const { id: fileId } = await store({ ...file, filename, name: outputNameOf(request, outputs.length) });
        if (file.marking !== null) this.deps.report(file.marking);
        outputs.push({ fileId, label, score });
      }
      return outputs;
    });
  }

  /** Schedules the deletion of stored outputs whose generation did not succeed. */
  discard({ request }: Pick<Running, 'request'>, outputs: readonly Output[]): Promise<void> {
    return this.deps.derived.discard(
      request.workspaceId,
      outputs.map(({ fileId }) => fileId),
    );
  }
}

function checkedStyle(file: string, model: Pick<Model, 'kind' | 'result'>, head: Buffer, size: number): CheckedOutput {
  const contentType = styleFileType(head, size);
  if (!contentType || !styleFileTypesOf(model).includes(contentType)) {
    throw unusable('style', `a file of the type ${contentType ?? 'unknown'}`);
  }
  return { file, contentType, preview: null, marking: null, label: null, score: null };
}

function unusable(kind: ModelKind, cause: unknown): ProviderFailure {
  return new ProviderFailure('unusable_output', `the model did not make a usable ${outputName(kind)}`, { cause });
}

function extensionOf(contentType: string): string {
  return Object.entries({ ...STORED_TYPES, ...PRIVATE_TYPES }).find(([, type]) => type === contentType)![0];
}
