import { Controller, Delete, Get, Inject, Put } from '@nestjs/common';
import type { IssuedUrls } from '#files';
import type { Actor } from '#identity';
import { notFound, type PageRequest } from '#kernel';
import { slotOf, Trainings, type PersonaViews } from '#persona';
import { personaViews } from '#wiring';
import {
  CurrentActor,
  Existing,
  PageQuery,
  PathId,
  Post,
  RequestBody,
  RequestQuery,
  Responds,
  CurrentUrls,
} from '../http/index.ts';
import {
  SavedTrainingResponse,
  savedTrainingResponse,
  SaveSlotRequest,
  SaveTrainingRequest,
  TrainingResponse,
  trainingResponse,
  TrainingsQuery,
  TrainingsResponse,
  trainingsResponse,
  UpdateTrainingRequest,
} from './persona.dto.ts';

@Controller('v2/personas/:persona_id')
export class TrainingsController {
  constructor(
    @Inject(Trainings) private readonly trainings: Trainings,
    @Inject(personaViews) private readonly views: PersonaViews,
  ) {}

  @Post('trains')
  @Existing('persona', 'persona_id')
  @Responds(201, SavedTrainingResponse, {
    id: 'personas.slots.fill',
    summary: 'Put a picture into a slot',
    description:
      'Puts a picture into one of the seven slots of the persona, and replaces the training of the slot ' +
      'atomically. Returns the training, and whether it replaced another. A picture that is not stored yet is ' +
      'copied by the worker: the state changes from `created` to `processed` or `failed`.',
    errors: ['file_expired', 'quota_exceeded'],
  })
  async saveToSlot(
    @CurrentActor() { workspaceId }: Actor,
    @CurrentUrls() urls: IssuedUrls,
    @PathId('persona_id') personaId: number,
    @RequestBody() { photo: picture, slot }: SaveSlotRequest,
  ) {
    const training = { workspaceId, personaId, slot, picture, extras: null, info: null };
    return savedTrainingResponse(await this.trainings.save({ ...training, pictureField: 'photo' }), urls);
  }

  @Post('trainings')
  @Existing('persona', 'persona_id')
  @Responds(201, SavedTrainingResponse, {
    id: 'personas.trainings.create',
    summary: 'Like a design',
    description:
      'Adds a picture that the persona likes, with notes about it. Returns the training. With `slot`, the picture ' +
      'is put into that slot instead, as by `trains`.',
    errors: ['file_expired', 'quota_exceeded'],
  })
  async save(
    @CurrentActor() { workspaceId }: Actor,
    @CurrentUrls() urls: IssuedUrls,
    @PathId('persona_id') personaId: number,
    @RequestBody() { image: picture, slot = null, extras = null, info = null }: SaveTrainingRequest,
  ) {
    const training = { workspaceId, personaId, slot, picture, extras, info };
    return savedTrainingResponse(await this.trainings.save({ ...training, pictureField: 'image' }), urls);
  }

  @Get('trainings')
  @Existing('persona', 'persona_id')
  @Responds(200, TrainingsResponse, {
    id: 'personas.trainings.list',
    summary: 'List the trainings of a persona',
    description:
      'Lists the trainings of a persona, newest first: its likes and the pictures in its slots. Returns the ' +
      'trainings.',
  })
  async list(
    @CurrentActor() { workspaceId }: Actor,
    @CurrentUrls() urls: IssuedUrls,
    @PathId('persona_id') personaId: number,
    @RequestQuery() { kind }: TrainingsQuery,
    @PageQuery({ whole: true }) page: PageRequest,
  ) {
    const trainings = await this.views.trainings(workspaceId, personaId, kind ?? null, page);
    if (!trainings) throw notFound('persona');
    return trainingsResponse(trainings, urls);
  }

  @Get('trainings/:training_id')
  @Responds(200, TrainingResponse, {
    id: 'personas.trainings.get',
    summary: 'Read a training',
    description: 'Reads one training. Returns its picture, slot, texts and state.',
  })
  async read(
    @CurrentActor() { workspaceId }: Actor,
    @CurrentUrls() urls: IssuedUrls,
    @PathId('persona_id') personaId: number,
    @PathId('training_id') trainingId: number,
  ) {
    const training = await this.views.training(workspaceId, personaId, trainingId);
    if (!training) throw notFound('training');
    return trainingResponse(training, urls);
  }

  @Put('trainings/:training_id')
  @Existing('persona', 'persona_id')
  @Existing('training', 'training_id')
  @Responds(200, TrainingResponse, {
    id: 'personas.trainings.update',
    summary: 'Change a training',
    description:
      'Changes the given fields of a training. Returns the training. Absent fields keep their values. A new ' +
      'picture is processed again.',
    errors: ['file_expired', 'quota_exceeded'],
  })
  async update(
    @CurrentActor() { workspaceId }: Actor,
    @CurrentUrls() urls: IssuedUrls,
    @PathId('persona_id') personaId: number,
    @PathId('training_id') trainingId: number,
    @RequestBody() body: UpdateTrainingRequest,
  ) {
    const training = await this.trainings.update({ ...body, workspaceId, personaId, trainingId });
    return trainingResponse(training, urls);
  }

  @Delete('trainings/:training_id')
  @Responds(200, null, {
    id: 'personas.trainings.delete',
    summary: 'Remove a training',
    description: 'Removes a training: a like, or the picture in a slot. Returns only `status`.',
  })
  remove(
    @CurrentActor() { workspaceId }: Actor,
    @PathId('persona_id') personaId: number,
    @PathId('training_id') trainingId: number,
  ) {
    return this.trainings.remove(workspaceId, personaId, { trainingId });
  }

  @Delete('trainings/slot/:slot')
  @Existing('persona', 'persona_id')
  @Responds(200, null, {
    id: 'personas.slots.empty',
    summary: 'Empty a slot',
    description: 'Removes the picture from a slot. Returns only `status`. An empty slot gets 404.',
  })
  async emptySlot(
    @CurrentActor() { workspaceId }: Actor,
    @PathId('persona_id') personaId: number,
    @PathId('slot') slot: number,
  ) {
    await this.trainings.remove(workspaceId, personaId, { slot: slotOf(slot) });
  }
}
