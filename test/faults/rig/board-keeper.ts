import type { Chance } from './chance.ts';
import type { Client, FaultActor } from './client.ts';

interface Board {
  readonly id: number;
  readonly folders: Set<number>;
  readonly media: Set<number>;
}

/** Fills boards, moves and deletes, and counts on finding what it was told that is there, and nothing else. */
export class BoardKeeper implements FaultActor {
  readonly name = 'boards';
  readonly meanPauseMs = 150;
  readonly #boards: Board[] = [];
  readonly #deleted: number[] = [];
  #count = 0;

  /** @param pictures stored URLs to put on boards */
  constructor(
    private readonly client: Client,
    private readonly chance: Chance,
    private readonly pictures: () => readonly string[],
  ) {}

  async work(): Promise<void> {
    const luck = this.chance.next();
    if (this.#boards.length === 0 || luck < 0.1) {
      const id = await this.#create('/boards', { name: 'Board' }, 'board');
      this.#boards.push({ id, folders: new Set(), media: new Set() });
      return;
    }
    const board = this.chance.pick(this.#boards);
    if (luck < 0.4) {
      const parent = this.chance.next() < 0.5 ? this.#some(board.folders) : undefined;
      const form = { name: 'Folder', ...(parent !== undefined && { parent_id: String(parent) }) };
      board.folders.add(await this.#create(`/boards/${board.id}/folders`, form, 'folder'));
    } else if (luck < 0.8) {
      const pictures = this.pictures();
      const form: Record<string, string> = {};
      const folder = this.#some(board.folders);
      if (folder !== undefined) form.folder_id = String(folder);
      if (pictures.length > 0 && this.chance.next() < 0.5) form.url = this.chance.pick(pictures);
      board.media.add(await this.#create(`/boards/${board.id}/media`, form, 'media'));
    } else if (luck < 0.95) {
      const media = this.#some(board.media);
      if (media === undefined) return;
      await this.#delete(`/boards/${board.id}/media/${media}`);
      board.media.delete(media);
    } else {
      await this.#delete(`/boards/${board.id}`);
      this.#boards.splice(this.#boards.indexOf(board), 1);
      this.#deleted.push(board.id);
    }
  }

  async brokenPromises(): Promise<string[]> {
    const broken: string[] = [];
    for (const { id, folders, media } of this.#boards) {
      const { status, body } = await this.client.call('GET', `/boards/${id}`);
      if (status !== 200) {
        broken.push(`board ${id} was made and answers ${status}`);
        continue;
      }
      const { board } = body;
      const found = [ids(board.folders), ids(board.media), board.folders_count, board.media_count];
      const promised = [[...folders].sort(byNumber), [...media].sort(byNumber), folders.size, media.size];
      if (JSON.stringify(found) !== JSON.stringify(promised)) {
        broken.push(`board ${id} has ${JSON.stringify(found)} instead of ${JSON.stringify(promised)}`);
      }
    }
    for (const id of this.#deleted) {
      const { status } = await this.client.call('GET', `/boards/${id}`);
      if (status !== 404) broken.push(`board ${id} was deleted and answers ${status}`);
    }
    return broken;
  }

  summary(): string {
    const sum = (of: 'folders' | 'media'): number => this.#boards.reduce((all, board) => all + board[of].size, 0);
    return `${this.#boards.length} boards with ${sum('folders')} folders and ${sum('media')} media, ${this.#deleted.length} deleted`;
  }

  async #create(path: string, form: Record<string, string>, what: string): Promise<number> {
    const key = `board-${this.#count++}-${this.chance.next()}`;
    const { status, body } = await this.client.call('POST', path, { form, key });
    if (status !== 201) throw new Error(`${path}: ${JSON.stringify(body)}`);
    return body[what].id as number;
  }

  /** Repeated, it may find that it was done the first time. */
  async #delete(path: string): Promise<void> {
    const { status, body } = await this.client.call('DELETE', path);
    if (status !== 200 && status !== 404) throw new Error(`${path}: ${JSON.stringify(body)}`);
  }

  #some(from: ReadonlySet<number>): number | undefined {
    return from.size === 0 ? undefined : this.chance.pick([...from]);
  }
}

function ids(things: readonly { readonly id: number }[]): number[] {
  return things.map(({ id }) => id).sort(byNumber);
}

function byNumber(a: number, b: number): number {
  return a - b;
}
