import { UrlField } from '../http/index.ts';

export class FinalizeUploadQuery {
  @UrlField({
    description: '`final_url` of the upload.',
    example: 'http://127.0.0.1:3000/files/wYb1…/portrait.jpg',
  })
  url!: string;
}
