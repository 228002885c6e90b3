import { inflateSync } from 'node:zlib';

/** Larger than the profiles of printers. */
export const MAX_PROFILE_BYTES = 4 * 1024 * 1024;
const MAX_PROFILE_TAGS = 100;
/** Maximum bytes of EXIF that are searched for the orientation. */
const MAX_EXIF_BYTES = 65_536;
const MAX_EXIF_ENTRIES = 256;
const ORIENTATION = 0x0112;

/** How many of the first bytes of EXIF data `bareExif` needs. */
export const exifLength = (length: number): number => Math.min(length, MAX_EXIF_BYTES);

/**
 * EXIF with only the orientation of `exif`; `null` if the picture is upright or has no orientation. Reads only the
 * first directory, and follows no other pointer.
 */
export function bareExif(exif: Buffer): Buffer | null {
  const tiff = exif.toString('latin1', 0, 6) === 'Exif\0\0' ? exif.subarray(6) : exif;
  const order = tiff.toString('latin1', 0, 2);
  if (tiff.length < 8 || (order !== 'II' && order !== 'MM')) return null;
  const little = order === 'II';
  const number = (at: number): number => {
    if (at + 2 > tiff.length) return 0;
    return little ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at);
  };
  const directory = little ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  const entries = Math.min(number(directory), MAX_EXIF_ENTRIES);
  for (let at = directory + 2; at < directory + 2 + 12 * entries; at += 12) {
    if (number(at) !== ORIENTATION) continue;
    const orientation = number(at + 8);
    return orientation >= 2 && orientation <= 8 ? exifOf(orientation) : null;
  }
  return null;
}

function exifOf(orientation: number): Buffer {
  const exif = Buffer.from('49492a000800000001001201030001000000', 'hex');
  return Buffer.concat([exif, Buffer.from([orientation, 0, 0, 0, 0, 0, 0, 0])]);
}

/**
 * Reports whether `profile` is small and has the structure of a colour profile. Tags of type `mpet` are refused: they
 * are chains of any number of calculations. The cost of other tags is proportional to their size. (ICC.1:2022, 7.)
 */
export function isSaneProfile(profile: Buffer): boolean {
  if (profile.length < 132 || profile.length > MAX_PROFILE_BYTES) return false;
  if (profile.toString('latin1', 36, 40) !== 'acsp' || profile.readUInt32BE(0) > profile.length) return false;
  const tags = profile.readUInt32BE(128);
  if (tags > MAX_PROFILE_TAGS || 132 + 12 * tags > profile.length) return false;
  return Array.from({ length: tags }, (_, index) => 132 + 12 * index).every((at) => {
    const offset = profile.readUInt32BE(at + 4);
    return offset + profile.readUInt32BE(at + 8) <= profile.length && typeAt(profile, offset) !== 'mpet';
  });
}

function typeAt(profile: Buffer, offset: number): string {
  return profile.toString('latin1', offset, offset + 4);
}

/** `isSaneProfile` for the chunk iCCP of a PNG: a name, the compression method, and the compressed profile. */
export function isSanePackedProfile(chunk: Buffer): boolean {
  try {
    return isSaneProfile(inflateSync(chunk.subarray(chunk.indexOf(0) + 2), { maxOutputLength: MAX_PROFILE_BYTES }));
  } catch {
    return false;
  }
}
