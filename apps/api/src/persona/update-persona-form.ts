import { MAX_PERSONA_NAME, MAX_PROFILE_TEXT } from '#persona';
import { TextField } from '../http/index.ts';

/** What is absent stays as it is. */
export class UpdatePersonaForm {
  @TextField({
    description: 'Name, on one line; white space around it is dropped.',
    example: 'Ada King',
    min: 1,
    max: MAX_PERSONA_NAME,
    required: false,
  })
  name?: string;

  @TextField({
    description: 'Title; null removes it.',
    example: 'Countess of Lovelace',
    max: MAX_PROFILE_TEXT,
    required: false,
    nullable: true,
  })
  title?: string | null;

  @TextField({
    description: 'What the persona knows, in free text; null removes it.',
    example: 'Analytical engines, and how to write for them.',
    max: MAX_PROFILE_TEXT,
    required: false,
    nullable: true,
  })
  knows?: string | null;

  @TextField({
    description: 'Profession; null removes it.',
    example: 'Mathematician',
    max: MAX_PROFILE_TEXT,
    required: false,
    nullable: true,
  })
  profession?: string | null;
}
