const BINARY_MAGIC = Buffer.from('Kaydara FBX Binary  \0\x1a\0', 'latin1');

/** After comments, the header with its version is the first node. */
const TEXT_HEAD =
  /^(?:[ \t]*(?:;[^\n]*)?\r?\n)*[ \t]*FBXHeaderExtension:[ \t]*\{\s*(?:;[^\n]*\n\s*)*FBX(?:Header)?Version:[ \t]*\d/;

/** Whether `bytes` are (the beginning of) an FBX scene, in its binary or its text form. */
export function isFbx(bytes: Buffer): boolean {
  const magic = bytes.subarray(0, BINARY_MAGIC.length);
  if (magic.equals(BINARY_MAGIC)) return bytes.length >= BINARY_MAGIC.length + 4;
  return TEXT_HEAD.test(bytes.toString('latin1'));
}
