import { keyOfPlace, privatePlaceOf } from './domain/object-key.ts';
import type { ObjectStorage } from './ports.ts';

/** A storage that the API serves objects of. */
type Servable = ObjectStorage & { serve?: (key: string) => Promise<unknown> };

/**
 * The storage, with a file's object found by the file's key wherever it is: reads look at the public place, then at the
 * private one; a deletion deletes both. Writes and other keys are exact. The result is still an instance of its class.
 */
export function withPrivatePlaces<Storage extends Servable>(storage: Storage): Storage {
  const placed: Partial<Servable> = {
    head: (key) => atEither(key, (place) => storage.head(place)),
    open: (key, range) => atEither(key, (place) => storage.open(place, range)),
    copy: (from, to, options) =>
      atEither(from, (place) => (place === to ? storage.head(place) : storage.copy(place, to, options))),
    delete: (keys) => storage.delete([...new Set(keys.flatMap((key) => [key, privatePlaceOf(key)]))]),
    ...(storage.serve && { serve: (key) => atEither(key, (place) => storage.serve!(place)) }),
  };
  return new Proxy(storage, {
    get(target, name) {
      if (Object.hasOwn(placed, name)) return placed[name as keyof Servable];
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function'
        ? (...args: unknown[]): unknown => Reflect.apply(member, target, args)
        : member;
    },
  });
}

/** The public place is read again: a move back may have passed between the two reads. */
async function atEither<T>(key: string, read: (place: string) => Promise<T | null>): Promise<T | null> {
  const other = privatePlaceOf(key);
  if (other === key) return read(key);
  return (await read(key)) ?? (await read(other)) ?? (await read(keyOfPlace(other)));
}
