import type { Actor } from '#identity';
import { notFound, type Clock, type UnitOfWork } from '#kernel';
import { noteTextOf, type Note } from './domain/note.ts';
import { itemToFollow, placed, type AfterRequest, type Item } from './domain/order.ts';
import { onLockedBoard } from './folders.ts';
import type { FolderStore, NoteStore, PlaceStore } from './ports.ts';

/** Undefined fields stay as they are. */
export interface NoteChange extends AfterRequest {
  readonly text?: string;
  readonly folderId?: number | null;
}

/** Every member of the workspace writes, changes and deletes notes. */
export class Notes {
  constructor(
    private readonly folders: Pick<FolderStore, 'lock' | 'survey'>,
    private readonly notes: NoteStore,
    private readonly places: PlaceStore,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Adds a note to a folder, after an item of it or first.
   *
   * @throws DomainError `not_found` (board or folder), `validation_failed`
   */
  create(actor: Actor, boardId: number, request: NoteChange & { readonly text: string }): Promise<Note> {
    const { folderId = null } = request;
    const text = noteTextOf(request.text);
    const after = itemToFollow(request) ?? null;
    return this.#locked(actor, boardId, async () => {
      // The note has no id yet.
      const place = await this.#place({ boardId, folderId }, { kind: 'note', id: 0 }, after);
      const createdAt = this.clock.now();
      return this.notes.add({
        boardId,
        folderId,
        text,
        place,
        createdBy: actor.userId,
        createdAt,
        updatedAt: createdAt,
      });
    });
  }

  /**
   * Changes the text of a note, or moves it: it comes first in another folder, unless an item to come after is named.
   *
   * @throws DomainError `not_found` (board, note or folder), `validation_failed`
   */
  update(actor: Actor, boardId: number, noteId: number, change: NoteChange): Promise<Note> {
    const text = change.text === undefined ? undefined : noteTextOf(change.text);
    const after = itemToFollow(change);
    return this.#locked(actor, boardId, async () => {
      const note = await this.notes.find(boardId, noteId);
      if (!note) throw notFound('note');
      const { folderId = note.folderId } = change;
      const isMoved = after !== undefined || folderId !== note.folderId;
      const place = isMoved
        ? await this.#place({ boardId, folderId }, { kind: 'note', id: noteId }, after ?? null)
        : note.place;
      const changed = { ...note, text: text ?? note.text, folderId, place, updatedAt: this.clock.now() };
      await this.notes.save(changed);
      return changed;
    });
  }

  /**
   * Deletes a note for good.
   *
   * @throws DomainError `not_found` (board or note)
   */
  delete(actor: Actor, boardId: number, noteId: number): Promise<void> {
    return this.#locked(actor, boardId, async () => {
      if (!(await this.notes.remove(boardId, noteId))) throw notFound('note');
    });
  }

  #locked<T>(actor: Actor, boardId: number, work: () => Promise<T>): Promise<T> {
    return onLockedBoard(this.folders, this.unitOfWork, actor, boardId, work);
  }

  /** The place of a note; neighbours may get others. */
  async #place(
    { boardId, folderId }: Pick<Note, 'boardId' | 'folderId'>,
    note: Item,
    after: Item | null,
  ): Promise<number> {
    if (folderId !== null && 'missing' in (await this.folders.survey(boardId, folderId, null)))
      throw notFound('folder');
    const changed = placed(await this.places.order(boardId, folderId), [note], after);
    await this.places.save(changed);
    return changed.find(({ kind, id }) => kind === note.kind && id === note.id)!.place;
  }
}
