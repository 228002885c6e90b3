interface Page {
  readonly next_cursor: string | null;
}

/** The entries of all pages of a list, each page read when it is needed. */
export async function* entries<P extends Page, Entry>(
  read: (cursor: string | undefined) => Promise<P>,
  entriesOf: (page: P) => readonly Entry[],
): AsyncGenerator<Entry, void, undefined> {
  let page = await read(undefined);
  yield* entriesOf(page);
  while (page.next_cursor !== null) {
    page = await read(page.next_cursor);
    yield* entriesOf(page);
  }
}
