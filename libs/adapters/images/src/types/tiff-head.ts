const CANON_RAW = 'CR';

/**
 * Whether `bytes` are the beginning of a TIFF whose directory comes later, as most programs write it. With the
 * directory at hand one could tell the raw photographs of cameras from it, but these have it in front.
 */
export function isTiffWithLateDirectory(bytes: Buffer): boolean {
  if (bytes.length < 10) return false;
  const order = bytes.toString('latin1', 0, 2);
  if (order !== 'II' && order !== 'MM') return false;
  const little = order === 'II';
  const version = little ? bytes.readUInt16LE(2) : bytes.readUInt16BE(2);
  const directory = little ? bytes.readUInt32LE(4) : bytes.readUInt32BE(4);
  return version === 42 && directory >= bytes.length && bytes.toString('latin1', 8, 10) !== CANON_RAW;
}
