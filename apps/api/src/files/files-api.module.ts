import { Module } from '@nestjs/common';
import { FilesModule } from '#wiring';
import { PersonaFilesController } from './persona-files.controller.ts';
import { UploadsController } from './uploads.controller.ts';

@Module({ imports: [FilesModule], controllers: [PersonaFilesController, UploadsController] })
export class FilesApiModule {}
