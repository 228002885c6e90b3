import type { Look, Onlooker, PresenceStore } from './ports.ts';

/**
 * Interval of `tick`: every third one confirms the looks of this process, which others count as ended after 25
 * seconds.
 */
export const TICK_MS = 5_000;
const TICKS_TO_CONFIRM = 3;

type PeopleListener = (people: readonly Onlooker[]) => void;

interface Room {
  /** How many streams each user has open, by user id. */
  readonly streams: Map<number, number>;
  readonly listeners: Set<PeopleListener>;
  /** `null` until they are read. */
  people: readonly Onlooker[] | null;
}

/**
 * Onlookers of the boards that streams of this process show. Looks are kept in memory; the store has them for the other
 * processes. One run at a time writes and reads, for all boards together.
 */
export class Presence {
  readonly #rooms = new Map<number, Room>();
  readonly #unsaved = new Set<number>();
  readonly #unread = new Set<number>();
  #running: Promise<void> | null = null;
  #ticks = 0;

  /**
   * @param process names this process among the others
   * @param report reports that looks could not be saved or read; they are tried again with the next tick
   */
  constructor(
    private readonly store: PresenceStore,
    private readonly process: string,
    private readonly report: (error: unknown) => void,
  ) {}

  /**
   * Counts the user as looking at the board, until the returned function is called.
   *
   * @param listener gets who looks at it, the user among them, and again whenever that changes
   */
  enter({ boardId, userId }: Look, listener: PeopleListener): () => void {
    const room: Room = this.#rooms.get(boardId) ?? { streams: new Map(), listeners: new Set(), people: null };
    this.#rooms.set(boardId, room);
    room.listeners.add(listener);
    this.#count(boardId, room, userId, 1);
    if (room.people?.some((each) => each.userId === userId)) listener(room.people);
    return () => {
      if (!room.listeners.delete(listener)) return;
      this.#count(boardId, room, userId, -1);
      if (room.listeners.size === 0) this.#rooms.delete(boardId);
    };
  }

  /** Reads who looks at the board, if any stream of this process shows it. */
  refresh(boardId: number): void {
    if (this.#rooms.has(boardId)) this.#unread.add(boardId);
    void this.#run();
  }

  /** To be called every `TICK_MS`: looks of processes that were killed end by time. */
  async tick(): Promise<void> {
    const confirms = this.#ticks++ % TICKS_TO_CONFIRM === 0;
    for (const boardId of this.#rooms.keys()) {
      this.#unread.add(boardId);
      if (confirms) this.#unsaved.add(boardId);
    }
    await this.#run();
    if (confirms) await this.store.forget().catch(this.report);
  }

  /** Ends all looks of this process. */
  async close(): Promise<void> {
    const boardIds = [...this.#rooms.keys(), ...this.#unsaved];
    this.#rooms.clear();
    await this.#running;
    if (boardIds.length > 0) await this.store.replace(this.process, boardIds, []).catch(this.report);
  }

  #count(boardId: number, { streams }: Room, userId: number, step: 1 | -1): void {
    const before = streams.get(userId) ?? 0;
    if (before + step > 0) streams.set(userId, before + step);
    else streams.delete(userId);
    // The first and the last of several streams of a user matter.
    if (before + step > 1 || before > 1) return;
    this.#unsaved.add(boardId);
    this.#unread.add(boardId);
    void this.#run();
  }

  #run(): Promise<void> {
    this.#running ??= this.#work().finally(() => (this.#running = null));
    return this.#running;
  }

  async #work(): Promise<void> {
    await Promise.resolve();
    while (this.#unsaved.size + this.#unread.size > 0) {
      const [unsaved, unread] = [[...this.#unsaved], [...this.#unread]];
      this.#unsaved.clear();
      this.#unread.clear();
      try {
        if (unsaved.length > 0) await this.store.replace(this.process, unsaved, this.#looksAt(unsaved));
        await this.#read(unread);
      } catch (error) {
        for (const boardId of unsaved) this.#unsaved.add(boardId);
        for (const boardId of unread) this.#unread.add(boardId);
        return this.report(error);
      }
    }
  }

  #looksAt(boardIds: readonly number[]): Look[] {
    return boardIds.flatMap((boardId) => {
      const userIds = this.#rooms.get(boardId)?.streams.keys() ?? [];
      return [...userIds].map((userId) => ({ boardId, userId }));
    });
  }

  async #read(boardIds: readonly number[]): Promise<void> {
    const shown = boardIds.filter((boardId) => this.#rooms.has(boardId));
    if (shown.length === 0) return;
    const people = await this.store.people(shown);
    for (const boardId of shown) {
      // An onlooker who came meanwhile is not among them: the board is read again when their look is saved.
      if (this.#unsaved.has(boardId)) continue;
      const room = this.#rooms.get(boardId);
      const now = people.get(boardId) ?? [];
      if (!room || JSON.stringify(room.people) === JSON.stringify(now)) continue;
      room.people = now;
      for (const listener of room.listeners) listener(now);
    }
  }
}
