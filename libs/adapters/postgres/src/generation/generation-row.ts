import type {
  Generation,
  GenerationRequest,
  GenerationState,
  InputSource,
  ModelKind,
  Output,
  ParameterValues,
  Running,
} from '#generation';

/** A generation as its table has it. */
export interface GenerationRow {
  readonly id: number;
  readonly workspace_id: number;
  readonly user_id: number;
  readonly persona_id: number | null;
  readonly model: string;
  readonly kind: ModelKind;
  readonly state: GenerationState;
  readonly prompt: string | null;
  readonly parameters: ParameterValues;
  readonly image_url: string | null;
  readonly image_file_id: number | null;
  readonly style_url: string | null;
  readonly style_file_id: number | null;
  readonly cost: number;
  readonly progress: number;
  readonly error_code: string | null;
  readonly error: string | null;
  readonly attempt: number;
  readonly created_at: Date;
  readonly started_at: Date | null;
  readonly finished_at: Date | null;
}

/** An output as PostgreSQL's JSON has it. */
export interface OutputRow {
  readonly file_id: number;
  readonly content_type: string;
  readonly width: number;
  readonly height: number;
  readonly duration: number | null;
}

export function toGeneration(row: GenerationRow, outputs: readonly OutputRow[]): Generation {
  const numbered = { id: row.id, attempt: row.attempt, request: toRequest(row) };
  const ended = { ...numbered, startedAt: row.started_at, finishedAt: row.finished_at! };
  switch (row.state) {
    case 'queued':
      return { ...numbered, state: 'queued' };
    case 'running':
      return toRunning(row);
    case 'succeeded':
      return { ...ended, state: 'succeeded', outputs: outputs.map(toOutput) };
    case 'failed':
      return { ...ended, state: 'failed', error: { code: row.error_code!, message: row.error! } };
    case 'canceled':
      return { ...ended, state: 'canceled' };
  }
}

/** Of a row whose state is `running`. */
export function toRunning(row: GenerationRow): Running {
  return {
    id: row.id,
    attempt: row.attempt,
    request: toRequest(row),
    state: 'running',
    progress: row.progress,
    startedAt: row.started_at!,
  };
}

function toRequest(row: GenerationRow): GenerationRequest {
  return {
    workspaceId: row.workspace_id,
    userId: row.user_id,
    personaId: row.persona_id,
    model: row.model,
    kind: row.kind,
    prompt: row.prompt,
    parameters: row.parameters,
    inputs: {
      image: toSource(row.image_url, row.image_file_id),
      styleReference: toSource(row.style_url, row.style_file_id),
    },
    cost: row.cost,
    createdAt: row.created_at,
  };
}

function toSource(url: string | null, fileId: number | null): InputSource | null {
  return url === null ? null : { url, fileId };
}

function toOutput(row: OutputRow): Output {
  const { file_id: fileId, content_type: contentType, width, height, duration } = row;
  return { fileId, contentType, width, height, duration };
}

export function fromOutput(output: Output): OutputRow {
  const { fileId: file_id, contentType: content_type, width, height, duration } = output;
  return { file_id, content_type, width, height, duration };
}
