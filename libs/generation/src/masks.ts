import type { MaskForm, Sources } from '#sources';
import { ProviderFailure, type RemoteInputs } from './ports.ts';

/** Pixels. */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** Reports whether a mask has the shape of its picture, apart from rounding by a pixel. */
export function fitsPicture(mask: PictureSize, picture: PictureSize): boolean {
  const height = (mask.height * picture.width) / mask.width;
  const width = (mask.width * picture.height) / mask.height;
  return Math.abs(height - picture.height) <= 1 || Math.abs(width - picture.width) <= 1;
}

/**
 * The inputs with the mask as the model takes it: in its form, and in the size of the picture. A mask that is as it has to
 * be stays as it is.
 *
 * @param sizes of the opened pictures, by file
 * @throws ProviderFailure `invalid_input` for a mask that is empty, or has another shape than the picture
 */
export async function withPreparedMask(
  inputs: RemoteInputs,
  sizes: ReadonlyMap<string, PictureSize>,
  form: MaskForm,
  sources: Pick<Sources, 'readMask'>,
): Promise<RemoteInputs> {
  const { mask, image } = inputs;
  if (!mask) return inputs;
  const own = sizes.get(mask.file)!;
  const size = image ? sizes.get(image.file)! : own;
  if (!fitsPicture(own, size)) {
    const texts = [own, size].map(({ width, height }) => `${width} × ${height}`);
    throw invalid(`the mask must have the shape of the image: it has ${texts[0]} pixels, the image ${texts[1]}`);
  }
  const file = `${mask.file}-prepared`;
  const { isEmpty } = await sources.readMask(mask.file, file, { ...size, form });
  if (isEmpty) throw invalid('the mask is empty: nothing in it is white');
  if (form === 'white' && own.width === size.width && own.height === size.height) return inputs;
  return { ...inputs, mask: { file, contentType: 'image/png', url: null } };
}

function invalid(message: string): ProviderFailure {
  return new ProviderFailure('invalid_input', message);
}
