/** Tells what bytes are. */
export interface FileTypes {
  /**
   * The supported content type of these bytes, by magic number, and for the text forms (SVG, glTF, FBX) by parsing
   * their head; `null` when they are none of the supported types.
   *
   * @param bytes the beginning of the file, 64 KiB or all of it
   */
  detect(bytes: Buffer): Promise<string | null>;
}
