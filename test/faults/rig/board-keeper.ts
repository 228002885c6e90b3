import { FaultActor } from './actors.ts';
import type { Chance } from './chance.ts';
import type { Client } from './client.ts';

interface Board {
  readonly id: number;
  readonly folders: Set<number>;
  readonly media: Set<number>;
}

/** Fills boards and deletes from them, and expects to find exactly what the responses reported. */
export class BoardKeeper extends FaultActor {
  readonly name = 'boards';
  readonly #boards: Board[] = [];
  readonly #deleted: number[] = [];

  /** @param pictures stored URLs to put on boards */
  constructor(
    client: Client,
    chance: Chance,
    private readonly pictures: () => readonly string[],
  ) {
    super(client, chance);
  }

  async work(): Promise<void> {
    const luck = this.chance.next();
    if (this.#boards.length === 0 || luck < 0.1) {
      const id = await this.#add('/boards', { name: 'Board' }, 'board');
      this.#boards.push({ id, folders: new Set(), media: new Set() });
      return;
    }
    const board = this.chance.pick(this.#boards);
    if (luck < 0.4) {
      const parent = this.chance.next() < 0.5 ? this.#some(board.folders) : undefined;
      const form = { name: 'Folder', ...(parent !== undefined && { parent_id: String(parent) }) };
      board.folders.add(await this.#add(`/boards/${board.id}/folders`, form, 'folder'));
    } else if (luck < 0.8) {
      const pictures = this.pictures();
      const form: Record<string, string> = {};
      const folder = this.#some(board.folders);
      if (folder !== undefined) form.folder_id = String(folder);
      if (pictures.length > 0 && this.chance.next() < 0.5) form.url = this.chance.pick(pictures);
      board.media.add(await this.#add(`/boards/${board.id}/media`, form, 'media'));
    } else if (luck < 0.95) {
      const media = this.#some(board.media);
      if (media === undefined) return;
      await this.delete(`/boards/${board.id}/media/${media}`);
      board.media.delete(media);
    } else {
      await this.delete(`/boards/${board.id}`);
      this.#boards.splice(this.#boards.indexOf(board), 1);
      this.#deleted.push(board.id);
    }
  }

  async brokenPromises(): Promise<string[]> {
    const broken: string[] = [];
    for (const { id, folders, media } of this.#boards) {
      const { status, body } = await this.client.call('GET', `/boards/${id}`);
      if (status !== 200) {
        broken.push(`board ${id} was made and responds ${status}`);
        continue;
      }
      const { board } = body;
      const found = [ids(board.folders), ids(board.media), board.folders_count, board.media_count];
      const promised = [sorted(folders), sorted(media), folders.size, media.size];
      if (JSON.stringify(found) !== JSON.stringify(promised)) {
        broken.push(`board ${id} has ${JSON.stringify(found)} instead of ${JSON.stringify(promised)}`);
      }
    }
    for (const id of this.#deleted) {
      const { status } = await this.client.call('GET', `/boards/${id}`);
      if (status !== 404) broken.push(`board ${id} was deleted and responds ${status}`);
    }
    return broken;
  }

  summary(): string {
    const sum = (of: 'folders' | 'media'): number => this.#boards.reduce((all, board) => all + board[of].size, 0);
    return `${this.#boards.length} boards with ${sum('folders')} folders and ${sum('media')} media, ${this.#deleted.length} deleted`;
  }

  /** @returns the id of what was added */
  async #add(path: string, form: Record<string, string>, what: string): Promise<number> {
    return (await this.post(path, form))[what].id;
  }

  #some(from: ReadonlySet<number>): number | undefined {
    return from.size === 0 ? undefined : this.chance.pick([...from]);
  }
}

function ids(things: readonly { readonly id: number }[]): number[] {
  return sorted(things.map(({ id }) => id));
}

function sorted(numbers: Iterable<number>): number[] {
  return [...numbers].sort((a, b) => a - b);
}
