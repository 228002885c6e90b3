/** In browsers files come from forms and drops. */
export function openFile(path: string): Promise<{ blob: Blob; name: string }> {
  return Promise.reject(new TypeError(`there are no paths in browsers: give the File instead of ${path}`));
}

export const saveFile: (path: string, stream: ReadableStream<Uint8Array>) => Promise<void> = (path) =>
  Promise.reject(new TypeError(`there are no paths in browsers: link to the URL instead of writing ${path}`));
