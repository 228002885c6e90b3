/**
 * Brands of MP4 files with video. The same container with other brands holds pictures (HEIF, AVIF), sound, QuickTime
 * films, or raw photographs. (ISO/IEC 14496-12; mp4ra.org)
 */
const VIDEO = /^(?:isom|iso[2-9a-c]|mp4[12]|mp71|avc1|dash|msdh|cmf[c-s]|MSNV|XAVC|F4V |M4V |M4VH|M4VP)$/;
const PICTURE = /^(?:mif[12]|msf1|miaf|hei[cxms]|hev[cxms]|avi[fso]|jpe[gs])$/;

/** Whether `bytes` are (the beginning of) an MP4 video, as its file type box says. */
export function isMp4(bytes: Buffer): boolean {
  if (bytes.length < 16 || bytes.toString('latin1', 4, 8) !== 'ftyp') return false;
  const boxEnd = bytes.readUInt32BE(0);
  if (boxEnd < 16 || boxEnd % 4 !== 0 || boxEnd > bytes.length) return false;
  const brands = [bytes.toString('latin1', 8, 12)];
  for (let at = 16; at < boxEnd; at += 4) brands.push(bytes.toString('latin1', at, at + 4));
  return VIDEO.test(brands[0]!) && !brands.some((brand) => PICTURE.test(brand));
}
