/** Delays of retries: a change of the network fails requests in flight. */
const AGAIN_AFTER_MS = [100, 500, 2000];

const failedStyles = new Set<HTMLLinkElement>();

/** Loads a part of the console: a module with its styles. @throws the error of the last attempt */
export async function loadPart<T>(load: () => Promise<T>): Promise<T> {
  addEventListener('error', noteFailedStyles, { capture: true });
  for (const delay of AGAIN_AFTER_MS) {
    try {
      return await attempt(load);
    } catch {
      await new Promise((resolve) => setTimeout(resolve, delay));
    }
  }
  return attempt(load);
}

function noteFailedStyles({ target }: Event): void {
  if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') failedStyles.add(target);
}

/** Loads failed styles again, because Vite's code requests the styles of an import only once. */
async function attempt<T>(load: () => Promise<T>): Promise<T> {
  await Promise.all(Array.from(failedStyles, loadAgain));
  return load();
}

function loadAgain(failed: HTMLLinkElement): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const link = Object.assign(failed.cloneNode() as HTMLLinkElement, { onload: resolve, onerror: reject });
  failedStyles.delete(failed);
  failed.replaceWith(link);
  return promise;
}
