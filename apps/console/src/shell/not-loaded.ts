import { onlineManager } from '@tanstack/react-query';
import { loadPart } from '../ui/index.ts';

/** A part of the console could not be loaded: the browser is offline, or the console was updated. */
export class NotLoaded extends Error {
  override readonly name = 'NotLoaded';
}

/** Throws NotLoaded, because for other import errors the router reloads the page, which fails offline. */
export function orNotLoaded(cause: unknown): never {
  throw new NotLoaded('a part of the console could not be loaded', { cause });
}

/** Loads a part as soon as the browser is online. @throws NotLoaded if loading fails although the browser was online */
export async function whenOnline<T>(load: () => Promise<T>): Promise<T> {
  await online();
  let wasOnline = true;
  const stop = onlineManager.subscribe(() => (wasOnline = false));
  try {
    return await loadPart(load);
  } catch (cause) {
    if (wasOnline) orNotLoaded(cause);
  } finally {
    stop();
  }
  return whenOnline(load);
}

async function online(): Promise<void> {
  if (onlineManager.isOnline()) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = onlineManager.subscribe((isOnline) => isOnline && resolve());
  await promise;
  stop();
}

/** Reloads the page if the service responds. Otherwise the browser's error page would replace what people have typed. */
export async function reloadIfReachable(): Promise<void> {
  const { ok } = await fetch('/console/', { cache: 'no-store' }).catch(() => Response.error());
  if (ok) location.reload();
}
