import { createHash } from 'node:crypto';
import { Controller, Get, Inject, Module, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { MagicFileTypes } from '#adapters/images';
import { resolveModel, type Model, type Models } from '#catalogue';
import type { Settings } from '#config';
import { type FileTypes, HEAD_BYTES, STORED_TYPES, Uploads } from '#files';
import { invalidField, KeyedSemaphore, Semaphore, type Clock } from '#kernel';
import { CatalogueModule, clock, FilesModule, models, settings, StorageModule, TransformationModule } from '#wiring';
import type { ModelsResponse } from '../generation/models.dto.ts';
import { GenerationApiModule } from '../generation/generations.controller.ts';
import {
  type ApiRequest,
  BodyFields,
  CurrentRequest,
  Facade,
  type FieldValues,
  IDEMPOTENCY_HEADER,
  OwnOperations,
  Post,
  readBody,
} from '../http/index.ts';
import { AlphaMasks } from './alpha-masks.ts';
import { imageCalls, responseFormatOf } from './image-calls.ts';
import { ImageRuns } from './image-runs.ts';
import { readEdit } from './read-edit.ts';

const MAX_EDIT_BYTES = 50 * 1024 * 1024;
/** Edits whose pictures are in memory at the same time, and that wait for their turn. */
const EDITS_AT_ONCE = 2;
const MAX_WAITING = 32;

/** OpenAI's image API. Its pictures are ordinary generations, made by the operations that all other callers use. */
@ApiExcludeController()
@Facade()
@Controller('v1')
export class ImagesController {
  readonly #edits = new Semaphore(EDITS_AT_ONCE, MAX_WAITING);
  /** One of each workspace at a time: nobody takes all places. */
  readonly #turns = new KeyedSemaphore<number>(1, MAX_WAITING);

  constructor(
    @Inject(OwnOperations) private readonly own: OwnOperations,
    @Inject(ImageRuns) private readonly runs: ImageRuns,
    @Inject(AlphaMasks) private readonly masks: AlphaMasks,
    @Inject(Uploads) private readonly uploads: Uploads,
    @Inject(MagicFileTypes) private readonly types: FileTypes,
    @Inject(models) private readonly catalogue: Models,
    @Inject(clock) private readonly clock: Clock,
    @Inject(settings) private readonly settings: Settings,
  ) {}

  @Get('models')
  async getModels(@CurrentRequest() request: ApiRequest) {
    const listed: ModelsResponse = await this.own.call(request, { method: 'GET', path: '/v2/models' });
    const images = listed.models.filter(({ kind }) => kind === 'image');
    const data = images.flatMap(({ id, aliases, provider }) =>
      [id, ...aliases].map((name) => ({ id: name, object: 'model', created: 0, owned_by: provider })),
    );
    return { object: 'list', data };
  }

  @Post('images/generations')
  async postGenerations(
    @CurrentRequest() request: ApiRequest,
    @BodyFields() fields: FieldValues,
    @Res() response: Response,
  ): Promise<void> {
    await this.runs.respond(request, response, {
      calls: imageCalls(fields, this.#modelOf(fields)),
      format: responseFormatOf(fields),
    });
  }

  @Post('images/edits')
  async postEdits(@CurrentRequest() request: ApiRequest, @Res() response: Response): Promise<void> {
    const edit = await this.#turns.on(request.actor!.workspaceId, () =>
      this.#edits.on(1, () => this.#readEdit(request)),
    );
    await this.runs.respond(request, response, edit);
  }

  async #readEdit(request: ApiRequest) {
    const body = await readBody(request, MAX_EDIT_BYTES);
    const { fields, images, mask } = await readEdit(body, request.headers['content-type']);
    const [model, format] = [this.#modelOf(fields), responseFormatOf(fields)];
    // Wrong fields are refused before anything is stored.
    imageCalls(fields, model, { images: images.map(() => 'about:blank'), mask: null });
    const urls: string[] = [];
    for (const image of images) urls.push(await this.#upload(request, image));
    const maskUrl = mask && (await this.#upload(request, await this.masks.read(mask)));
    return { calls: imageCalls(fields, model, { images: urls, mask: maskUrl }), format };
  }

  /** The entry that will run, under the name that was given. */
  #modelOf({ model: given }: FieldValues): Model {
    const name = typeof given === 'string' && given !== '' ? given : this.settings.http.defaultImageModel;
    const { entry, successor, state } = resolveModel(name, this.catalogue, this.clock.now());
    const model = state === 'replaced' ? successor : entry;
    if (!model) throw invalidField('model', `${name} is unknown: see GET /v1/models`);
    return { ...model, id: name };
  }

  /** Stores a picture for twelve hours. The same picture in a repeated request has the same URL. */
  async #upload(request: ApiRequest, bytes: Buffer): Promise<string> {
    const given = request.get(IDEMPOTENCY_HEADER);
    const key = given && createHash('sha256').update(given).update(bytes).digest('hex');
    const json = { filename: `x12tmp-image.${await this.#extensionOf(bytes)}` };
    const { final_url: url } = await this.own.call(request, { method: 'POST', path: '/v2/upload', json, key });
    await this.uploads.put(request.actor!, url, bytes);
    await this.own.call(request, { method: 'GET', path: `/v2/finalize_upload?url=${encodeURIComponent(url)}` });
    return url;
  }

  async #extensionOf(bytes: Buffer): Promise<string> {
    const type = await this.types.detect(bytes.subarray(0, HEAD_BYTES));
    const extension = Object.entries(STORED_TYPES).find(([, each]) => each === type)?.[0];
    if (!extension) throw invalidField('image', 'must be a picture');
    return extension;
  }
}

@Module({
  imports: [CatalogueModule, FilesModule, GenerationApiModule, StorageModule, TransformationModule],
  providers: [AlphaMasks, ImageRuns],
  controllers: [ImagesController],
})
export class OpenAiApiModule {}
