import { createStore, type Memory, type Store } from '../../state/index.ts';
import { EMPTY_HISTORY, type History } from './drawing.ts';

/** The state of editing a picture: what was drawn, written and started. */
export interface EditState {
  readonly history: History;
  readonly prompt: string;
  /** The chosen model; null for the cheapest. */
  readonly model: string | null;
  /** The generation that changes the picture. */
  readonly generation: number | null;
  /** The generation that found the objects of the picture. */
  readonly objects: number | null;
}

interface Kept {
  /** The last opened comes first. */
  readonly edits: readonly { readonly picture: string; readonly edit: EditState }[];
}

export const EMPTY_EDIT: EditState = {
  history: EMPTY_HISTORY,
  prompt: '',
  model: null,
  generation: null,
  objects: null,
};

/** Characters: browsers keep about five million for a tab, also of other drafts. */
const MOST_TEXT = 2_000_000;
const MOST_EDITS = 30;

/** The edits of one user in one workspace, by picture. They survive a reload of the page, and end with the tab. */
export class KeptEdits {
  /** True while the last edit survives a reload: it may be too large, or the storage of the browser full. */
  readonly isKept = createStore(true);
  readonly #store: Store<Kept>;
  #isFull = false;

  constructor(
    private readonly memory: Memory,
    readonly owner: string,
  ) {
    const forgiving = {
      getItem: (name: string) => memory.getItem(name),
      setItem: (...item: [string, string]) => this.#write(...item),
    };
    this.#store = createStore({ edits: [] }, { memory: forgiving, name: 'x12-edits', owner });
  }

  of(url: string): EditState {
    const picture = keyOf(url);
    return { ...EMPTY_EDIT, ...this.#store.get().edits.find((each) => each.picture === picture)?.edit };
  }

  keep(url: string, edit: EditState): void {
    const picture = keyOf(url);
    const others = this.#store.get().edits.filter((each) => each.picture !== picture);
    const fitting = withinLimit([{ picture, edit }, ...others].slice(0, MOST_EDITS));
    this.#store.set({ edits: fitting });
    this.isKept.set(fitting[0]?.picture === picture && !this.#isFull);
  }

  forget(url: string): void {
    const picture = keyOf(url);
    this.#store.set({ edits: this.#store.get().edits.filter((each) => each.picture !== picture) });
  }

  /** Where the storage of the browser is full, what is drawn stays in memory. */
  #write(name: string, text: string): void {
    try {
      this.memory.setItem(name, text);
      this.#isFull = false;
    } catch {
      this.#isFull = true;
    }
  }
}

/** The newest edits that are not too large together. */
function withinLimit(edits: Kept['edits']): Kept['edits'] {
  let left = MOST_TEXT;
  return edits.filter((each) => {
    const { length } = JSON.stringify(each);
    if (length > left) return false;
    left -= length;
    return true;
  });
}

/** Without the query, which may contain a signature: scripts can read the session storage. */
function keyOf(url: string): string {
  const { origin, pathname } = new URL(url, 'http://localhost');
  return origin + pathname;
}
