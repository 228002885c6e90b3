import { MAX_PERSONA_NAME, MAX_PROFILE_TEXT, UNNAMED_PERSONA } from '#persona';
import { TextField } from '../http/index.ts';

export class CreatePersonaForm {
  @TextField({
    description: `Name, on one line; white space around it is dropped. Without it, \`${UNNAMED_PERSONA}\`.`,
    example: 'Ada',
    min: 1,
    max: MAX_PERSONA_NAME,
    required: false,
  })
  name?: string;

  @TextField({
    description: 'Title.',
    example: 'Countess of Lovelace',
    max: MAX_PROFILE_TEXT,
    required: false,
    nullable: true,
  })
  title?: string | null;

  @TextField({
    description: 'What the persona knows, in free text.',
    example: 'Analytical engines, and how to write for them.',
    max: MAX_PROFILE_TEXT,
    required: false,
    nullable: true,
  })
  knows?: string | null;

  @TextField({
    description: 'Profession.',
    example: 'Mathematician',
    max: MAX_PROFILE_TEXT,
    required: false,
    nullable: true,
  })
  profession?: string | null;
}
