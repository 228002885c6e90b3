import { unsigned } from '../../file-url.ts';
import { createStore, type Memory, type Store } from '../../state/index.ts';
import type { PickedMedia } from '../../ui/index.ts';
import { type Draft, emptied, EMPTY_DRAFT, isEmpty } from '../../model-form/draft.ts';

type Pair = Pick<Draft, 'model' | 'pid'>;

interface Kept {
  /** One draft for each model and persona; the draft of the form comes first. */
  readonly drafts: readonly Draft[];
}

const MOST = 20;

/** The drafts of one user in one workspace. Keeping a draft deletes the drafts of other users and workspaces. */
export class KeptDrafts {
  readonly #store: Store<Kept>;

  constructor(
    memory: Memory,
    readonly owner: string,
  ) {
    this.#store = createStore({ drafts: [] }, { memory, name: 'x12-drafts', owner, part: writable });
  }

  /** The draft of the form, without expired pictures. */
  last(): Draft | undefined {
    const [draft] = this.#drafts();
    return draft && usable(draft);
  }

  /** The draft of a model and a persona, unless it is empty. */
  of(pair: Pair): Draft | undefined {
    const draft = this.#drafts().find((each) => isOf(each, pair) && !isEmpty(each));
    return draft && usable(draft);
  }

  keep(draft: Draft): void {
    this.#write([draft, ...this.#without(draft)].slice(0, MOST));
  }

  drop(pair: Pair): void {
    this.#write(this.#without(pair));
  }

  /** Empties the kept draft, unless it was changed since. The form itself stays filled. */
  accepted(sent: Draft): void {
    const text = JSON.stringify(sent);
    this.#write(this.#drafts().map((each) => (JSON.stringify(each) === text ? emptied(each) : each)));
  }

  #drafts(): readonly Draft[] {
    return this.#store.get().drafts;
  }

  #without(pair: Pair): readonly Draft[] {
    return this.#drafts().filter((each) => !isOf(each, pair));
  }

  #write(drafts: readonly Draft[]): void {
    this.#store.set({ drafts });
  }
}

function isOf(draft: Draft, { model, pid }: Pair): boolean {
  return draft.model === model && draft.pid === pid;
}

function writable({ drafts }: Kept): Kept {
  return { drafts: drafts.map((draft) => withPictures(draft, withoutSignature)) };
}

/**
 * Scripts can read the session storage: stored pictures are kept without their signature, and those at other addresses that
 * may contain one are not kept.
 */
function withoutSignature(media: PickedMedia): PickedMedia | null {
  const url = unsigned(media.url);
  const { search, username, password } = new URL(url, 'http://localhost');
  if (search + username + password !== '') return null;
  return { ...media, url, thumbnails: media.thumbnails?.filter((each) => unsigned(each.url) === each.url) };
}

function usable(draft: Draft): Draft {
  const stored = (media: PickedMedia) => {
    const { expires_at } = media;
    return !expires_at || Date.parse(expires_at) > Date.now() ? media : null;
  };
  return withPictures({ ...EMPTY_DRAFT, ...draft }, stored);
}

function withPictures(draft: Draft, keep: (media: PickedMedia) => PickedMedia | null): Draft {
  const kept = (media: PickedMedia | null) => media && keep(media);
  const { image, style, references, mask, control } = draft;
  return {
    ...draft,
    image: kept(image),
    style: style === 'none' ? style : kept(style),
    references: references.flatMap((each) => keep(each) ?? []),
    mask: kept(mask),
    control: kept(control),
  };
}
