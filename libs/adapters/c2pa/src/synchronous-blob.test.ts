import { expect, it } from '@jest/globals';
import { FileReaderSync, SynchronousBlob } from './synchronous-blob.ts';

// Tests are compiled as the service is; the process that signs, which other tests start, runs from source.
it('a blob has its size and its parts at once', () => {
  const blob = new SynchronousBlob(Buffer.from('a red fox'));
  const text = (part: SynchronousBlob) => Buffer.from(new FileReaderSync().readAsArrayBuffer(part)).toString();
  expect([blob.size, text(blob)]).toEqual([9, 'a red fox']);
  expect([blob.slice(2, 5).size, text(blob.slice(2, 5)), text(blob.slice(6))]).toEqual([3, 'red', 'fox']);
});
