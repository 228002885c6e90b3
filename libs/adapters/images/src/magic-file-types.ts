import { fileTypeFromBuffer } from 'file-type';
import { CONTENT_TYPES, type FileTypes } from '#files';
import { isFbx } from './types/fbx-head.ts';
import { isGlb, isGltf, isGltfBeginning } from './types/gltf-head.ts';
import { isMp4 } from './types/mp4-head.ts';
import { readSvgHead } from './types/svg-head.ts';
import { isTiffWithLateDirectory } from './types/tiff-head.ts';

/** What a caller gives of a long file. */
const HEAD_BYTES = 65_536;

/** What file-type calls them. An animated PNG is one for all who know no better. */
const BY_SIGNATURE: ReadonlyMap<string, string> = new Map([
  ['image/jpeg', CONTENT_TYPES.jpg],
  ['image/png', CONTENT_TYPES.png],
  ['image/apng', CONTENT_TYPES.png],
  ['image/webp', CONTENT_TYPES.webp],
  ['image/gif', CONTENT_TYPES.gif],
  ['image/tiff', CONTENT_TYPES.tiff],
]);

/** Types by signature, and by what text says of itself; file names play no part. */
export class MagicFileTypes implements FileTypes {
  async detect(bytes: Buffer): Promise<string | null> {
    if (isMp4(bytes)) return CONTENT_TYPES.mp4;
    if (isGlb(bytes)) return CONTENT_TYPES.glb;
    const signature = await fileTypeFromBuffer(bytes);
    const known = signature && BY_SIGNATURE.get(signature.mime);
    if (known) return known;
    if (isTiffWithLateDirectory(bytes)) return CONTENT_TYPES.tiff;
    if (isFbx(bytes)) return CONTENT_TYPES.fbx;
    if (readSvgHead(bytes)) return CONTENT_TYPES.svg;
    const text = bytes.toString('utf8');
    const isJson = bytes.length < HEAD_BYTES ? isGltf(text) : isGltfBeginning(text);
    return isJson ? CONTENT_TYPES.gltf : null;
  }
}
