import type { Picture, FileUrls, Thumbnail } from '#files';
import { IntegerField, ListField, NumberField, TextField, UrlField } from '../http/index.ts';

export const FILE_URL = 'http://127.0.0.1:3000/files/wYb1/portrait.jpg';

export const PictureNameField = (options: { readonly required: boolean }) =>
  TextField('Name of the picture wherever it is shown, 1 to 255 characters after trimming.', {
    example: 'red fox at dawn',
    ...options,
  });

export class ThumbnailDto {
  @UrlField('URL of the thumbnail, a WebP.') url!: string;
  @IntegerField('Pixels.', { example: 320 }) width!: number;
  @IntegerField('Pixels.', { example: 213 }) height!: number;
}

/** Facts that a look at the bytes of a file finds. */
export class SeenPictureDto {
  @IntegerField('Pixels, upright; null for a 3D model, and until the file is looked at.', {
    example: 1024,
    nullable: true,
  })
  width!: number | null;

  @IntegerField('Pixels, upright; null for a 3D model, and until the file is looked at.', {
    example: 768,
    nullable: true,
  })
  height!: number | null;

  @NumberField('Duration of a video in seconds; otherwise null.', { example: null, nullable: true })
  duration!: number | null;

  @TextField('ThumbHash in base64: a placeholder while the picture loads; null until it is made.', {
    example: '3OcRJYB4d3h/iIeHeEh3eIhw+j2w',
    nullable: true,
  })
  placeholder!: string | null;

  @ListField(
    () => ThumbnailDto,
    'Thumbnails, smallest first. Those of an upload are made within seconds; a 3D model has none.',
  )
  thumbnails!: ThumbnailDto[];
}

/** A stored picture, video or model. */
export class PictureDto extends SeenPictureDto {
  @UrlField('Public URL of the file.', { example: FILE_URL }) url!: string;
  @TextField(
    'Name: given by people, or else the first words of the prompt and the seed of an output, or the file name.',
    { example: 'red fox at dawn 42' },
  )
  name!: string;

  @TextField('Media type, as found in the bytes.', { example: 'image/png' }) content_type!: string;
}

/** The fields of a picture whose values are URLs. */
export function pictureUrls({ key, thumbnails }: Pick<Picture, 'key' | 'thumbnails'>, urls: FileUrls) {
  return { url: urls.urlOf(key), thumbnails: thumbnailDtos(thumbnails, urls) };
}

export function thumbnailDtos(thumbnails: readonly Thumbnail[], urls: FileUrls): ThumbnailDto[] {
  return thumbnails.map(({ key, width, height }) => ({ url: urls.urlOf(key), width, height }));
}
