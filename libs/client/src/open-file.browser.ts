/** In browsers files come from forms and drops. */
export function openFile(path: string): Promise<{ blob: Blob; name: string }> {
  return Promise.reject(new TypeError(`there are no paths in browsers: give the File instead of ${path}`));
}
