import type {
  PersonaView as Persona,
  PersonaSummary,
  SlotPurpose,
  SlotView as Slot,
  TrainingState,
} from '#persona';
import { ChoiceField, IntegerField, ListField, TextField, TimeField } from '../http/index.ts';
import { TRAINING_STATES } from './training-view.ts';

/** A persona as lists show it. */
export class PersonaSummaryView {
  @IntegerField({ description: 'Identifier of the persona: `pid` in uploads and generations.', example: 12 })
  id!: number;

  @TextField({ description: 'Name.', example: 'Ada' })
  name!: string;

  @TextField({ description: 'Title.', example: 'Countess of Lovelace', nullable: true })
  title!: string | null;

  @TextField({ description: 'What the persona knows.', example: 'Analytical engines.', nullable: true })
  knows!: string | null;

  @TextField({ description: 'Profession.', example: 'Mathematician', nullable: true })
  profession!: string | null;

  @IntegerField({ description: 'Slots that have a training.', example: 2, min: 0, max: 7 })
  slots_filled!: number;

  @IntegerField({ description: 'Trainings without a slot.', example: 31, min: 0 })
  likes_count!: number;

  @IntegerField({ description: 'Slots and likes together.', example: 33, min: 0 })
  trainings_count!: number;

  @TimeField({ description: 'When it was made.' })
  created_at!: Date;

  @TimeField({ description: 'When its name, title, knows or profession last changed.' })
  updated_at!: Date;
}

/** One of the seven slots of a persona. */
export class SlotView {
  @IntegerField({ description: 'Number of the slot.', example: 1, min: 1, max: 7 })
  slot!: number;

  @ChoiceField(['master', 'style', 'main'], {
    description:
      'What generators use it for: `master` is the style reference, `main` the input image, `style` trains the style.',
    example: 'master',
  })
  purpose!: SlotPurpose;

  @IntegerField({
    description: 'Identifier of its training; null while it is empty.',
    example: 40,
    nullable: true,
  })
  training_id!: number | null;

  @TextField({
    description: 'URL of its picture; null while it is empty.',
    example: 'https://pictures.example.com/ada.jpg',
    format: 'uri',
    nullable: true,
  })
  photo!: string | null;

  @ChoiceField(TRAINING_STATES, {
    description: 'State of its training; null while it is empty.',
    example: 'processed',
    nullable: true,
  })
  state!: TrainingState | null;

  @TextField({ description: 'Why the picture could not be used.', example: null, nullable: true })
  error!: string | null;
}

/** A persona with its slots. */
export class PersonaView extends PersonaSummaryView {
  @ListField(() => SlotView, { description: 'All seven, by number.' })
  slots!: SlotView[];
}

export function personaSummaryView(persona: PersonaSummary): PersonaSummaryView {
  return {
    id: persona.id,
    name: persona.name,
    title: persona.title,
    knows: persona.knows,
    profession: persona.profession,
    slots_filled: persona.slotsFilled,
    likes_count: persona.likesCount,
    trainings_count: persona.trainingsCount,
    created_at: persona.createdAt,
    updated_at: persona.updatedAt,
  };
}

export function personaView(persona: Persona): PersonaView {
  return { ...personaSummaryView(persona), slots: persona.slots.map(slotView) };
}

function slotView({ slot, purpose, trainingId, photo, state, error }: Slot): SlotView {
  return { slot, purpose, training_id: trainingId, photo, state, error };
}
