import { Module } from '@nestjs/common';
import { UploadModule } from '#wiring';
import { PersonaFilesController } from './persona-files.controller.ts';
import { UploadsController } from './uploads.controller.ts';

@Module({ imports: [UploadModule], controllers: [PersonaFilesController, UploadsController] })
export class UploadApiModule {}
