/**
 * A blob whose bytes can be read at once: `@contentauth/c2pa-wasm` expects the `FileReaderSync` of a browser's worker,
 * which Node has not.
 */
export class SynchronousBlob extends Blob {
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    super([]);
    this.#bytes = bytes;
    // A field of this name would be assigned once it is compiled, and `Blob` has a getter alone.
    Object.defineProperty(this, 'size', { value: bytes.length });
  }

  override slice(start = 0, end = this.size): SynchronousBlob {
    return new SynchronousBlob(this.#bytes.subarray(start, end));
  }

  /** A copy: the buffer belongs to the reader. */
  read(): ArrayBuffer {
    return new Uint8Array(this.#bytes).buffer;
  }
}

export class FileReaderSync {
  readAsArrayBuffer(blob: SynchronousBlob): ArrayBuffer {
    return blob.read();
  }
}
