import type { FileUrls } from '#files';
import type { PersonaGenerations } from '#generation';
import type { Page } from '#kernel';
import {
  MAX_PERSONA_NAME,
  MAX_PROFILE_TEXT,
  MAX_TRAINING_TEXT,
  purposeOf,
  SLOTS,
  UNNAMED_PERSONA,
  type PersonaDetails,
  type PersonaSummary,
  type SavedTraining,
  type Slot,
  type SlotPurpose,
  type TrainingKind,
  type TrainingRecord,
  type TrainingState,
} from '#persona';
import {
  BooleanField,
  ChoiceField,
  CustomDataDto,
  CustomDataRequest,
  CustomerFilter,
  dtoOf,
  IntegerField,
  ListField,
  listOf,
  ObjectField,
  PageResponse,
  SearchQuery,
  TextField,
  TimeField,
  UrlField,
} from '../http/index.ts';
import { GenerationResponse, generationResponse } from '../generation/generation.dto.ts';

const TRAINING_STATES = ['created', 'processed', 'failed'] as const satisfies readonly TrainingState[];

/** A text field of a request; may be absent or null. */
const OptionalText = (description: string, example: string, max: number): PropertyDecorator =>
  TextField(description, { example, max, required: false, nullable: true });

const OptionalSlot = (description: string, example: number | null): PropertyDecorator =>
  IntegerField(description, { example, min: 1, max: 7, required: false, nullable: true });

/** The URL of a picture in a request. */
const Picture = (description: string, file: string, required = true): PropertyDecorator =>
  UrlField(description, { example: `https://pictures.example.com/${file}`, required });

/** The URL of a picture in a response. */
const PictureUrl = (description: string, nullable = false): PropertyDecorator =>
  TextField(description, { example: 'https://pictures.example.com/ada.jpg', format: 'uri', nullable });

const SlotOrLike = (): PropertyDecorator =>
  IntegerField('Its slot; null for a like.', { example: 1, min: 1, max: 7, nullable: true });

const State = (description: string, example: TrainingState, nullable = false): PropertyDecorator =>
  ChoiceField(TRAINING_STATES, description, { example, nullable });

const PictureError = (description: string): PropertyDecorator =>
  TextField(description, { example: null, nullable: true });

/** Creates a persona, or changes the fields that are given. */
export class PersonaRequest extends CustomDataRequest {
  @TextField(
    'Name, on one line, without white space around it. A persona created without a name is called ' +
      `\`${UNNAMED_PERSONA}\`.`,
    { example: 'Ada', min: 1, max: MAX_PERSONA_NAME, required: false },
  )
  name?: string;

  @OptionalText('Title; null removes it.', 'Countess of Lovelace', MAX_PROFILE_TEXT) title?: string | null;

  @OptionalText(
    'What the persona knows, in free text; null removes it.',
    'Analytical engines, and how to write for them.',
    MAX_PROFILE_TEXT,
  )
  knows?: string | null;

  @OptionalText('Profession; null removes it.', 'Mathematician', MAX_PROFILE_TEXT) profession?: string | null;
}

export class SaveSlotRequest {
  @Picture(
    'The picture: any http or https URL, or the `final_url` of an upload, which is used without a copy unless it ' +
      'is temporary.',
    'ada.jpg',
  )
  photo!: string;

  @IntegerField('The slot: 1 is the style reference, 7 the input image. Its training is replaced.', {
    example: 1,
    min: 1,
    max: 7,
  })
  slot!: number;
}

export class SaveTrainingRequest {
  @Picture(
    'The picture: any http or https URL, or the URL of a stored file, such as the output of a generation.',
    'fox.jpg',
  )
  image!: string;

  @OptionalText('Prompt of the liked design.', 'a fox in the snow', MAX_TRAINING_TEXT) extras?: string | null;
  @OptionalText('Further notes.', 'seed 7', MAX_TRAINING_TEXT) info?: string | null;
  @OptionalSlot('A slot for the picture, instead of a like.', null) slot?: number | null;
}

/** Fields that are absent keep their values. */
export class UpdateTrainingRequest {
  @Picture('Another picture, which is processed again.', 'owl.jpg', false) image?: string;

  @OptionalText('Prompt of the liked design; null removes it.', 'an owl in the snow', MAX_TRAINING_TEXT)
  extras?: string | null;

  @OptionalText('Further notes; null removes them.', 'seed 8', MAX_TRAINING_TEXT) info?: string | null;
  @OptionalSlot('A slot to move the training to, which replaces the training there; null makes it a like.', 2) slot?:
    | number
    | null;
}

export class TrainingsQuery {
  @ChoiceField(['like', 'slot'], 'Likes only, or trainings in slots only; both by default.', {
    example: 'like',
    required: false,
  })
  kind?: TrainingKind;
}

export class PersonasQuery extends SearchQuery {
  @CustomerFilter() customer?: string;
}

/** A persona in lists. */
export class PersonaSummaryDto extends CustomDataDto {
  @IntegerField('Identifier of the persona: `pid` in uploads and generations.', { example: 12 }) id!: number;
  @TextField('Name.', { example: 'Ada' }) name!: string;
  @TextField('Title.', { example: 'Countess of Lovelace', nullable: true }) title!: string | null;
  @TextField('What the persona knows.', { example: 'Analytical engines.', nullable: true }) knows!: string | null;
  @TextField('Profession.', { example: 'Mathematician', nullable: true }) profession!: string | null;
  @IntegerField('Slots that have a training.', { example: 2, min: 0, max: 7 }) slots_filled!: number;
  @IntegerField('Trainings without a slot.', { example: 31, min: 0 }) likes_count!: number;
  @IntegerField('Slots and likes together.', { example: 33, min: 0 }) trainings_count!: number;
  @IntegerField('The user who created it.', { example: 7 }) created_by!: number;
  @TimeField('When it was created.') created_at!: Date;
  @TimeField('When its fields, its trainings or its outputs last changed.') updated_at!: Date;
}

/** One of the seven slots of a persona. */
export class SlotDto {
  @IntegerField('Number of the slot.', { example: 1, min: 1, max: 7 }) slot!: number;

  @ChoiceField(
    ['master', 'style', 'main'],
    'What generators use it for: `master` is the style reference, `main` the input image, `style` trains the style.',
    { example: 'master' },
  )
  purpose!: SlotPurpose;

  @IntegerField('Identifier of its training; null while it is empty.', { example: 40, nullable: true })
  training_id!: number | null;

  @PictureUrl('URL of its picture; null while it is empty.', true) photo!: string | null;
  @State('State of its training; null while it is empty.', 'processed', true) state!: TrainingState | null;
  @PictureError('Why the picture could not be used.') error!: string | null;
}

export class PersonasResponse extends PageResponse {
  @ListField(() => PersonaSummaryDto, 'Personas of the workspace, newest first.') personas!: PersonaSummaryDto[];
}

/** A picture of a persona: in a slot, or as a like. */
export class TrainingDto {
  @IntegerField('Identifier of the training.', { example: 40 }) id!: number;
  @SlotOrLike() slot!: number | null;
  @PictureUrl('URL of its picture: the given URL until the picture is stored.') image!: string;
  @TextField('Prompt of the liked design.', { example: 'a fox in the snow', nullable: true }) extras!: string | null;
  @TextField('Further notes.', { example: null, nullable: true }) info!: string | null;

  @State('`created` until the picture is copied into the storage, then `processed` or `failed`.', 'processed')
  state!: TrainingState;

  @PictureError('Why the picture could not be used, such as `url_blocked`, `not_an_image` or `quota_exceeded`.')
  error!: string | null;

  @TimeField('When it was saved.') created_at!: Date;
}

/** A trained style by its name. */
export class StyleNameDto {
  @IntegerField('Identifier of the style.', { example: 7 }) id!: number;
  @TextField('Its name.', { example: 'Warm oils' }) name!: string;
}

/** A persona with its slots, trainings and newest generations. */
export class PersonaDto extends PersonaSummaryDto {
  @ListField(() => SlotDto, 'All seven slots, by number.') slots!: SlotDto[];

  @ObjectField(() => StyleNameDto, 'The trained style that generations with the persona use; null for none.', {
    nullable: true,
  })
  active_style!: StyleNameDto | null;

  @ListField(() => TrainingDto, 'All its trainings, newest first.') trainings!: TrainingDto[];
  @ListField(() => GenerationResponse, 'Its newest generations, at most 20.') generations!: GenerationResponse[];
  @IntegerField('How many generations it has.', { example: 45, min: 0 }) generations_count!: number;
  @ListField(() => String, 'Always empty.', { example: [] }) conversations!: string[];
}

export class PersonaResponse {
  @ObjectField(() => PersonaDto, 'The persona.') persona!: PersonaDto;
}

export class TrainingResponse {
  @ObjectField(() => TrainingDto, 'The training.') training!: TrainingDto;
}

export class TrainingsResponse extends PageResponse {
  @ListField(() => TrainingDto, 'Trainings of the persona, newest first.') trainings!: TrainingDto[];
}

export class SavedTrainingResponse {
  @IntegerField('Identifier of the training, by which it is removed.', { example: 40 }) training_id!: number;
  @IntegerField('The persona it is saved on.', { example: 12 }) persona_id!: number;
  @SlotOrLike() slot!: number | null;
  @PictureUrl('URL of the picture: the given URL until the picture is stored.') photo!: string;

  @State('`created` until the picture is copied; `processed` if it was already stored.', 'created')
  state!: TrainingState;

  @BooleanField('Whether another training was in the slot.', { example: false }) replaced!: boolean;
}

export function personaResponse(
  { trainings, activeStyle, ...persona }: PersonaDetails,
  { newest, count }: PersonaGenerations,
  urls: FileUrls,
): PersonaResponse {
  const trainingIn = (slot: Slot) => trainings.find((training) => training.slot === slot);
  return {
    persona: {
      ...personaSummaryDto(persona),
      slots: SLOTS.map((slot) => slotDto(slot, trainingIn(slot), urls)),
      active_style: activeStyle,
      trainings: trainings.map((each) => trainingDto(each, urls)),
      generations: newest.map((each) => generationResponse(each, urls)),
      generations_count: count,
      conversations: [],
    },
  };
}

export function trainingResponse(training: TrainingRecord, urls: FileUrls): TrainingResponse {
  return { training: trainingDto(training, urls) };
}

export const trainingsResponse = (page: Page<TrainingRecord>, urls: FileUrls): TrainingsResponse =>
  listOf('trainings', page, (each) => trainingDto(each, urls));

export function savedTrainingResponse({ training, replaced }: SavedTraining, urls: FileUrls): SavedTrainingResponse {
  const { id, personaId, slot, state, sourceUrl, file } = training;
  const photo = pictureUrl(sourceUrl, file?.key ?? null, urls);
  return { training_id: id, persona_id: personaId, slot, photo, state, replaced };
}

export function personaSummaryDto(persona: PersonaSummary): PersonaSummaryDto {
  return dtoOf(PersonaSummaryDto, { ...persona, trainingsCount: persona.slotsFilled + persona.likesCount });
}

function slotDto(slot: Slot, training: TrainingRecord | undefined, urls: FileUrls): SlotDto {
  return {
    slot,
    purpose: purposeOf(slot),
    training_id: training?.id ?? null,
    photo: training ? pictureUrl(training.sourceUrl, training.file?.key ?? null, urls) : null,
    state: training?.state ?? null,
    error: training?.error ?? null,
  };
}

function trainingDto(training: TrainingRecord, urls: FileUrls): TrainingDto {
  const image = pictureUrl(training.sourceUrl, training.file?.key ?? null, urls);
  return dtoOf(TrainingDto, { ...training, image });
}

/** The URL of the stored file, or the given URL until there is one. */
function pictureUrl(sourceUrl: string, fileKey: string | null, urls: FileUrls): string {
  return fileKey === null ? sourceUrl : urls.urlOf(fileKey);
}
