import { mediaKind, type StoredMedia } from '../media.ts';

/** What was chosen in the picker. Media at an address elsewhere have neither content type nor thumbnails. */
export interface PickedMedia extends StoredMedia {
  /** What people know it by: a prompt, a file name, an address. */
  readonly name: string;
  /** When a temporary file is deleted. */
  readonly expires_at?: string | null;
}

export interface PickTabProps {
  readonly chosen: readonly PickedMedia[];
  /** No more may be chosen: only what is chosen can be pressed, to deselect it. */
  readonly isFull: boolean;
  readonly onChoose: (media: PickedMedia) => void;
  readonly accept: 'pictures' | 'all';
  readonly personaId: number | null;
}

export function isAccepted({ content_type }: StoredMedia, accept: PickTabProps['accept']): boolean {
  return accept === 'all' || mediaKind(content_type) === 'picture';
}
