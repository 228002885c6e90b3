import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** Of all that is kept. */
const MAX_BYTES = 32 * 1024 * 1024;
/** A board is kept if it is among so many that were rendered last: reading every board once keeps none. */
const MAX_RECENT = 1000;
/** Smaller responses gain nothing from being compressed. */
const COMPRESSED_FROM = 8 * 1024;

/** A buffer if it is kept, else text: a buffer for each response, freed late, took 100 MB while many boards were read. */
type Body = string | Buffer;

/** The fastest levels: slower ones take three times as long for a tenth less. */
const COMPRESSIONS = {
  br: (body: Body) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
  gzip: (body: Body) => promisify(gzip)(body, { level: 1 }),
};

export type Encoding = keyof typeof COMPRESSIONS;
/** In the order of preference. */
export const ENCODINGS = ['br', 'gzip'] as const satisfies readonly Encoding[];

/** The response of a board in one of its versions. */
export interface RenderedBoard {
  readonly version: number;
  readonly body: Body;
  /** Made when they are first asked for. */
  readonly compressed: Map<Encoding, Promise<Buffer>>;
  /** Bytes in memory. */
  size: number;
}

/**
 * The responses of whole boards, the least recently used ones dropped. One is valid while its version is the one in the
 * database, so nothing has to be invalidated.
 */
export class RenderedBoards {
  private readonly boards = new Map<number, RenderedBoard>();
  private size = 0;
  /** The boards that were rendered last, whether kept or not; the latest at the end. */
  private readonly recent = new Set<number>();

  find(boardId: number): RenderedBoard | null {
    const found = this.boards.get(boardId);
    if (!found) return null;
    this.boards.delete(boardId);
    this.boards.set(boardId, found);
    return found;
  }

  /** Makes a response of the text, and keeps it if the board is among those that were rendered last. */
  keep(boardId: number, version: number, text: string): RenderedBoard {
    const isKept = this.isRecent(boardId);
    const rendered = { version, body: isKept ? Buffer.from(text) : text, compressed: new Map(), size: 0 };
    this.drop(boardId);
    if (isKept) {
      this.boards.set(boardId, rendered);
      this.grow(boardId, rendered, rendered.body.length);
    }
    return rendered;
  }

  /** `null` when it is too small to be compressed. */
  async compressed(boardId: number, board: RenderedBoard, encoding: Encoding): Promise<Buffer | null> {
    if (board.body.length < COMPRESSED_FROM) return null;
    const made = board.compressed.get(encoding);
    if (made) return made;
    const making = COMPRESSIONS[encoding](board.body);
    board.compressed.set(encoding, making);
    this.grow(boardId, board, (await making).length);
    return making;
  }

  private isRecent(boardId: number): boolean {
    const isRecent = this.recent.delete(boardId);
    this.recent.add(boardId);
    const [oldest] = this.recent;
    if (this.recent.size > MAX_RECENT) this.recent.delete(oldest!);
    return isRecent;
  }

  private grow(boardId: number, board: RenderedBoard, bytes: number): void {
    if (this.boards.get(boardId) !== board) return;
    board.size += bytes;
    this.size += bytes;
    for (const oldest of this.boards.keys()) {
      if (this.size <= MAX_BYTES) return;
      this.drop(oldest);
    }
  }

  private drop(boardId: number): void {
    this.size -= this.boards.get(boardId)?.size ?? 0;
    this.boards.delete(boardId);
  }
}
