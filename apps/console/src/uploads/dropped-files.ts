/** The files of a drop and of its folders, without hidden files. Call it synchronously in the drop handler. */
export async function droppedFiles(items: Iterable<DataTransferItem>): Promise<File[]> {
  // After the first `await` the items are empty.
  const dropped = [...items]
    .filter(({ kind }) => kind === 'file')
    .map((item) => item.webkitGetAsEntry() ?? item.getAsFile());
  const files = await Promise.all(dropped.filter((each) => each !== null).map(filesIn));
  return files.flat().filter(({ name }) => !name.startsWith('.'));
}

async function filesIn(dropped: File | FileSystemEntry): Promise<File[]> {
  if (dropped instanceof File) return [dropped];
  if (dropped.isFile) return [await new Promise<File>((...done) => (dropped as FileSystemFileEntry).file(...done))];
  const entries = await entriesOf((dropped as FileSystemDirectoryEntry).createReader());
  return (await Promise.all(entries.map(filesIn))).flat();
}

/** Reads all entries of a folder. Browsers return some at a time, and none at the end. */
async function entriesOf(reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> {
  const entries: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((...done) => reader.readEntries(...done));
    if (some.length === 0) return entries;
    entries.push(...some);
  }
}
