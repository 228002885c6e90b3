import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** Bytes of all cached responses. */
const MAX_BYTES = 32 * 1024 * 1024;
/** A board is cached at its second rendering among this many, so that reading every board once caches none. */
const MAX_RECENT = 1000;
/** Bytes below which compression gains nothing. */
const COMPRESSED_FROM = 8 * 1024;

/** A buffer if cached, else text: buffers are freed late, and took 100 MB while many boards were read. */
type Body = string | Buffer;

/** The fastest levels: slower levels take three times as long and save a tenth. */
const COMPRESSIONS = {
  br: (body: Body) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
  gzip: (body: Body) => promisify(gzip)(body, { level: 1 }),
};

export type Encoding = keyof typeof COMPRESSIONS;
/** In order of preference. */
export const ENCODINGS = ['br', 'gzip'] as const satisfies readonly Encoding[];

/** The response of a board in one of its versions. */
export interface RenderedBoard {
  readonly version: number;
  /** The version of the URLs in it. */
  readonly urls: string;
  readonly body: Body;
  /** Each is made at its first use. */
  readonly compressed: Map<Encoding, Promise<Buffer>>;
  /** Bytes in memory. */
  size: number;
}

/**
 * A cache of board responses; the least recently used are dropped first. A response is valid while its version equals
 * the board's version in the database, and its URLs those of the workspace, so nothing has to be invalidated.
 */
export class RenderedBoards {
  readonly #boards = new Map<number, RenderedBoard>();
  #size = 0;
  /** The boards that were rendered last, cached or not; the latest at the end. */
  readonly #recent = new Set<number>();

  find(boardId: number, urls = ''): RenderedBoard | null {
    const found = this.#boards.get(boardId);
    if (found?.urls !== urls) return null;
    this.#boards.delete(boardId);
    this.#boards.set(boardId, found);
    return found;
  }

  /** Makes a response of the text, and caches it if the board was rendered recently. */
  keep(boardId: number, version: number, text: string, urls = ''): RenderedBoard {
    const isKept = this.#isRecent(boardId);
    const rendered = { version, urls, body: isKept ? Buffer.from(text) : text, compressed: new Map(), size: 0 };
    this.#drop(boardId);
    if (isKept) {
      this.#boards.set(boardId, rendered);
      this.#grow(boardId, rendered, rendered.body.length);
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
    this.#grow(boardId, board, (await making).length);
    return making;
  }

  #isRecent(boardId: number): boolean {
    const isRecent = this.#recent.delete(boardId);
    this.#recent.add(boardId);
    const [oldest] = this.#recent;
    if (this.#recent.size > MAX_RECENT) this.#recent.delete(oldest!);
    return isRecent;
  }

  #grow(boardId: number, board: RenderedBoard, bytes: number): void {
    if (this.#boards.get(boardId) !== board) return;
    board.size += bytes;
    this.#size += bytes;
    for (const oldest of this.#boards.keys()) {
      if (this.#size <= MAX_BYTES) return;
      this.#drop(oldest);
    }
  }

  #drop(boardId: number): void {
    this.#size -= this.#boards.get(boardId)?.size ?? 0;
    this.#boards.delete(boardId);
  }
}
