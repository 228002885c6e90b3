import { Controller, Delete, Get, Inject, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#identity';
import type { PageRequest } from '#kernel';
import { ListTrainings, ReadTraining, RemoveTraining, SaveTraining, slotOf, UpdateTraining } from '#persona';
import {
  Responds,
  CurrentActor,
  cursorOf,
  Existing,
  RequestBody,
  PageQuery,
  PathId,
  RequestQuery,
} from '../http/index.ts';
import { SaveSlotForm } from './save-slot-form.ts';
import { SaveTrainingForm } from './save-training-form.ts';
import { SavedTrainingAnswer, savedTrainingAnswer } from './saved-training-answer.ts';
import { TrainingAnswer, trainingAnswer } from './training-answer.ts';
import { trainingView } from './training-view.ts';
import { TrainingsAnswer } from './trainings-answer.ts';
import { TrainingsQuery } from './trainings-query.ts';
import { UpdateTrainingForm } from './update-training-form.ts';

@ApiTags('Personas')
@Controller('v2/personas/:persona_id')
export class TrainingsController {
  constructor(
    @Inject(SaveTraining) private readonly saveTraining: SaveTraining,
    @Inject(ListTrainings) private readonly listTrainings: ListTrainings,
    @Inject(ReadTraining) private readonly readTraining: ReadTraining,
    @Inject(UpdateTraining) private readonly updateTraining: UpdateTraining,
    @Inject(RemoveTraining) private readonly removeTraining: RemoveTraining,
  ) {}

  @Post('trains')
  @Existing('persona', 'persona_id')
  @Responds(201, SavedTrainingAnswer, {
    summary: 'Put a picture into a slot',
    description:
      'What is in the slot is replaced in the same instant. A picture that is not stored yet is copied by the worker: its state goes from `created` to `processed` or `failed`.',
    errors: ['validation_failed', 'not_found', 'file_expired'],
  })
  async postTrain(
    @CurrentActor() { workspaceId }: Actor,
    @PathId('persona_id') personaId: number,
    @RequestBody() { photo, slot }: SaveSlotForm,
  ): Promise<SavedTrainingAnswer> {
    const saved = await this.saveTraining.run({
      workspaceId,
      personaId,
      slot,
      picture: photo,
      pictureField: 'photo',
      extras: null,
      info: null,
    });
    return savedTrainingAnswer(saved);
  }

  @Post('trainings')
  @Existing('persona', 'persona_id')
  @Responds(201, SavedTrainingAnswer, {
    summary: 'Like a design',
    description: 'With a slot it is not a like: the picture is put into that slot, as by `trains`.',
    errors: ['validation_failed', 'not_found', 'file_expired'],
  })
  async postTraining(
    @CurrentActor() { workspaceId }: Actor,
    @PathId('persona_id') personaId: number,
    @RequestBody() { image, slot = null, extras = null, info = null }: SaveTrainingForm,
  ): Promise<SavedTrainingAnswer> {
    const saved = await this.saveTraining.run({
      workspaceId,
      personaId,
      slot,
      picture: image,
      pictureField: 'image',
      extras,
      info,
    });
    return savedTrainingAnswer(saved);
  }

  @Get('trainings')
  @Existing('persona', 'persona_id')
  @Responds(200, TrainingsAnswer, {
    summary: 'List the trainings of a persona',
    errors: ['validation_failed', 'not_found'],
  })
  async getTrainings(
    @CurrentActor() { workspaceId }: Actor,
    @PathId('persona_id') personaId: number,
    @RequestQuery() { kind }: TrainingsQuery,
    @PageQuery({ whole: true }) page: PageRequest,
  ): Promise<TrainingsAnswer> {
    const { items, next } = await this.listTrainings.run(workspaceId, personaId, kind ?? null, page);
    return { trainings: items.map(trainingView), next_cursor: cursorOf(next) };
  }

  @Get('trainings/:training_id')
  @Responds(200, TrainingAnswer, { summary: 'Read a training', errors: ['validation_failed', 'not_found'] })
  async getTraining(
    @CurrentActor() { workspaceId }: Actor,
    @PathId('persona_id') personaId: number,
    @PathId('training_id') trainingId: number,
  ): Promise<TrainingAnswer> {
    return trainingAnswer(await this.readTraining.run(workspaceId, personaId, trainingId));
  }

  @Put('trainings/:training_id')
  @Existing('persona', 'persona_id')
  @Existing('training', 'training_id')
  @Responds(200, TrainingAnswer, {
    summary: 'Change a training',
    description: 'What is absent stays as it is. Another picture is processed anew.',
    errors: ['validation_failed', 'not_found', 'file_expired'],
  })
  async putTraining(
    @CurrentActor() { workspaceId }: Actor,
    @PathId('persona_id') personaId: number,
    @PathId('training_id') trainingId: number,
    @RequestBody() form: UpdateTrainingForm,
  ): Promise<TrainingAnswer> {
    return trainingAnswer(await this.updateTraining.run({ ...form, workspaceId, personaId, trainingId }));
  }

  @Delete('trainings/:training_id')
  @Responds(200, null, {
    summary: 'Remove a training',
    description: 'Removes a like, or empties the slot that the training is in.',
    errors: ['validation_failed', 'not_found'],
  })
  async deleteTraining(
    @CurrentActor() { workspaceId }: Actor,
    @PathId('persona_id') personaId: number,
    @PathId('training_id') trainingId: number,
  ): Promise<void> {
    await this.removeTraining.run(workspaceId, personaId, { trainingId });
  }

  @Delete('trainings/slot/:slot')
  @Existing('persona', 'persona_id')
  @Responds(200, null, {
    summary: 'Empty a slot',
    description: 'A slot that is empty already is answered with 404.',
    errors: ['validation_failed', 'not_found'],
  })
  async deleteSlot(
    @CurrentActor() { workspaceId }: Actor,
    @PathId('persona_id') personaId: number,
    @PathId('slot') slot: number,
  ): Promise<void> {
    await this.removeTraining.run(workspaceId, personaId, { slot: slotOf(slot) });
  }
}
