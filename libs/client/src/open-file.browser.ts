/** In browsers files come from forms and drops. */
export function openFile(path: string): Promise<{ blob: Blob; name: string }> {
  return Promise.reject(new TypeError(`there are no paths in browsers: give the File instead of ${path}`));
}

export function saveFile(path: string, _stream: ReadableStream<Uint8Array>): Promise<void> {
  return Promise.reject(new TypeError(`there are no paths in browsers: link to the URL instead of writing ${path}`));
}
