import type { Provenance } from '#files';
import type { MarkReader } from '#provenance';
import { PictureProcesses } from './process/picture-processes.ts';

/** Reads marks in a child process, one file at a time. A file that is damaged has none. */
export class PictureMarks implements MarkReader {
  readonly #processes = new PictureProcesses({ atOnce: 1 });

  async read(file: string, contentType: string): Promise<Provenance | null> {
    const reply = await this.#processes.run({ kind: 'find-mark', file, contentType });
    if (reply.type === 'failed') throw new Error(`cannot read marks: ${reply.detail}`);
    return reply.type === 'done' ? reply.result : null;
  }
}
