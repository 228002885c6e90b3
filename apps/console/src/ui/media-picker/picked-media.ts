import type { OutputReferenceDto } from '../../api/index.ts';
import { mediaKind, type StoredMedia } from '../media.ts';

/** A media item chosen in the picker. An item at a web address has neither content type nor thumbnails. */
export interface PickedMedia extends StoredMedia {
  /** A prompt, a file name or an address. */
  readonly name: string;
  /** When a temporary file is deleted. */
  readonly expires_at?: string | null;
  /** The output that it is. */
  readonly output?: OutputReferenceDto | null;
}

export interface PickTabProps {
  readonly chosen: readonly PickedMedia[];
  /** True if the maximum is chosen: then only chosen items can be pressed, to deselect them. */
  readonly isFull: boolean;
  readonly onChoose: (media: PickedMedia) => void;
  readonly accept: 'pictures' | 'all';
  readonly personaId: number | null;
}

export function isAccepted({ content_type }: StoredMedia, accept: PickTabProps['accept']): boolean {
  return accept === 'all' || mediaKind(content_type) === 'picture';
}
