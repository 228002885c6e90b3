import { onlineManager } from '@tanstack/react-query';
import { loadPart } from '../ui/index.ts';

/** A part of the console did not come: the connection is gone, or a newer version has taken the place of this one. */
export class NotLoaded extends Error {
  override readonly name = 'NotLoaded';
}

/** Fails with NotLoaded: for other errors of imports the router loads the page anew, and offline that leads nowhere. */
export function orNotLoaded(cause: unknown): never {
  throw new NotLoaded('a part of the console could not be loaded', { cause });
}

/** Loads a part as soon as the browser is online. @throws NotLoaded if it can't be loaded although the browser is */
export async function whenOnline<T>(load: () => Promise<T>): Promise<T> {
  await online();
  try {
    return await loadPart(load);
  } catch (cause) {
    return onlineManager.isOnline() ? orNotLoaded(cause) : whenOnline(load);
  }
}

async function online(): Promise<void> {
  if (onlineManager.isOnline()) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = onlineManager.subscribe((isOnline) => isOnline && resolve());
  await promise;
  stop();
}

/** Loads the page anew if the service answers: else what is open and typed would be lost to the browser's own page. */
export async function reloadIfReachable(): Promise<void> {
  const { ok } = await fetch('/console/', { cache: 'no-store' }).catch(() => Response.error());
  if (ok) location.reload();
}
