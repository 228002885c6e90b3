import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { itemToFollow, PLACE_GAP, placed, type Item, type Placed } from './order.ts';

const media = (id: number): Item => ({ kind: 'media', id });
const note = (id: number): Item => ({ kind: 'note', id });
const byId = (id: number): Placed => ({ kind: 'media', id, place: -id * PLACE_GAP });
const nameOf = ({ kind, id }: Item) => `${kind} ${id}`;

/** A folder as the database has it. */
class Folder {
  items: readonly Placed[];

  constructor(...items: readonly Placed[]) {
    this.items = items;
  }

  get order(): readonly Placed[] {
    return this.items.toSorted(
      (a, b) => a.place - b.place || (a.kind === b.kind ? b.id - a.id : a.kind === 'media' ? -1 : 1),
    );
  }

  get names(): readonly string[] {
    return this.order.map(nameOf);
  }

  /** @returns the number of items with new places */
  put(items: readonly Item[], after: Item | null): number {
    const changed = placed(this.order, items, after);
    const names = new Set(changed.map(nameOf));
    this.items = [...this.items.filter((each) => !names.has(nameOf(each))), ...changed];
    return changed.length;
  }
}

describe('the order of a folder', () => {
  it('is newest first until somebody orders it, and one move changes one item', () => {
    const folder = new Folder(byId(1), byId(2), byId(3));
    expect(folder.names).toEqual(['media 3', 'media 2', 'media 1']);
    expect(folder.put([media(1)], media(3))).toBe(1);
    expect(folder.names).toEqual(['media 3', 'media 1', 'media 2']);
  });

  it('has items first that are put nowhere, and a new media item before them', () => {
    const folder = new Folder(byId(1), byId(2), byId(3));
    folder.put([media(1)], null);
    folder.put([note(1)], null);
    folder.items = [...folder.items, byId(4)];
    expect(folder.names).toEqual(['media 4', 'note 1', 'media 1', 'media 3', 'media 2']);
  });

  it('gives only as many neighbours new places as need be when a gap is used up', () => {
    const folder = new Folder(...Array.from({ length: 2_000 }, (_, index) => byId(index + 1)));
    const changes = Array.from({ length: 100 }, (_, index) => folder.put([media(index + 1)], media(1_000)));
    expect(Math.max(...changes)).toBeGreaterThan(1);
    expect(changes.reduce((sum, count) => sum + count)).toBeLessThan(300);
  });

  it('keeps items apart that have one place, as one that was restored', () => {
    const folder = new Folder({ ...byId(1), place: 5 }, { ...byId(2), place: 5 }, { ...byId(3), place: 5 });
    folder.put([note(1)], media(3));
    expect(folder.names).toEqual(['media 3', 'note 1', 'media 2', 'media 1']);
  });

  it.each([
    ['among the items', [media(1), media(2)], media(2), 'after'],
    ['in another folder', [media(1)], media(9), 'after'],
    ['a note in another folder', [media(1)], note(1), 'after_note'],
  ] as const)('refuses an item to come after that is %s', (_, items, after, field) => {
    const folder = new Folder(byId(1), byId(2));
    expect(() => folder.put(items, after)).toThrow(new RegExp(`^${field} must be in the same folder`));
  });

  it('refuses an item that is named twice', () => {
    expect(() => new Folder(byId(1)).put([media(1), media(1)], null)).toThrow(/ids must name each item once/);
  });

  it('is the list that any sequence of moves and additions makes', () => {
    const step = fc.record({
      picks: fc.uniqueArray(fc.nat(), { minLength: 1, maxLength: 4 }),
      after: fc.option(fc.nat(), { nil: null }),
      adds: fc.constantFrom('nothing', 'media', 'note'),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const folder = new Folder(byId(1), byId(2), byId(3));
        let expected = folder.names;
        let last = 3;
        for (const { picks, after, adds } of steps) {
          const all = folder.order;
          const found = new Map(picks.map((pick) => [pick % all.length, all[pick % all.length]!]));
          const items: Item[] = adds === 'note' ? [note(++last)] : [...found.values()];
          const names = new Set(items.map(nameOf));
          const others = all.filter((each) => !names.has(nameOf(each)));
          const at = after === null || others.length === 0 ? 0 : (after % others.length) + 1;
          folder.put(items, at === 0 ? null : others[at - 1]!);
          expected = others.map(nameOf).toSpliced(at, 0, ...items.map(nameOf));
          if (adds === 'media') {
            folder.items = [...folder.items, byId(++last)];
            expected = [nameOf(media(last)), ...expected];
          }
          expect(folder.names).toEqual(expected);
          expect(new Set(folder.items.map(({ place }) => place)).size).toBe(folder.items.length);
        }
        expect(folder.items.every(({ place }) => Number.isSafeInteger(place))).toBe(true);
      }),
    );
  });
});

describe('the item to come after', () => {
  it('is a media item, a note, none for the first place, or not named', () => {
    expect(itemToFollow({ after: 1 })).toEqual(media(1));
    expect(itemToFollow({ after: null, afterNote: 2 })).toEqual(note(2));
    expect(itemToFollow({ after: null })).toBeNull();
    expect(itemToFollow({ afterNote: null })).toBeNull();
    expect(itemToFollow({})).toBeUndefined();
  });

  it('is one', () => {
    expect(() => itemToFollow({ after: 1, afterNote: 2 })).toThrow(/after_note must not be given together with after/);
  });
});
