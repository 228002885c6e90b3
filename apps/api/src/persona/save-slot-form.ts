import { IntegerField, UrlField } from '../http/index.ts';

export class SaveSlotForm {
  @UrlField({
    description:
      'The picture: any http or https URL, or the `final_url` of an upload, which is used without a copy unless it is temporary.',
    example: 'https://pictures.example.com/ada.jpg',
  })
  photo!: string;

  @IntegerField({
    description: 'The slot: 1 is the style reference, 7 the input image. What is in it is replaced.',
    example: 1,
    min: 1,
    max: 7,
  })
  slot!: number;
}
