import type { ModelKind } from '#generation';
import { TextField } from '../http/index.ts';

export class InputsView {
  @TextField({
    description: 'URL of the input image.',
    example: 'https://pictures.example.com/fox.jpg',
    format: 'uri',
    nullable: true,
  })
  image!: string | null;

  @TextField({
    description: 'URL of the style reference.',
    example: 'https://pictures.example.com/style.jpg',
    format: 'uri',
    nullable: true,
  })
  style_reference!: string | null;

  @TextField({
    description: 'URL of the frame that a video starts with: the input image of a video model.',
    example: null,
    format: 'uri',
    nullable: true,
  })
  start_frame!: string | null;
}

export function inputsView(
  kind: ModelKind,
  imageUrl: string | null,
  styleReferenceUrl: string | null,
): InputsView {
  const isVideo = kind === 'video';
  return {
    image: isVideo ? null : imageUrl,
    style_reference: styleReferenceUrl,
    start_frame: isVideo ? imageUrl : null,
  };
}
