import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import type { BoardViews } from '#board';
import { BoardModule, boardViews } from '#wiring';
import { ExistenceChecks } from '../http/index.ts';
import { BoardsController } from './boards.controller.ts';
import { FoldersController } from './folders.controller.ts';
import { MediaController } from './media.controller.ts';

@Module({ imports: [BoardModule], controllers: [BoardsController, FoldersController, MediaController] })
export class BoardApiModule implements OnModuleInit {
  constructor(
    @Inject(ExistenceChecks) private readonly checks: ExistenceChecks,
    @Inject(boardViews) private readonly views: BoardViews,
  ) {}

  onModuleInit(): void {
    for (const kind of ['board', 'folder', 'media'] as const) {
      this.checks.register(kind, ({ workspaceId }, id) => this.views.exists(kind, workspaceId, id));
    }
  }
}
