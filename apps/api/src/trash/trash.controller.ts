import { Controller, Delete, Get, Inject, Module } from '@nestjs/common';
import type { Actor } from '#identity';
import type { Clock, PageRequest } from '#kernel';
import { Trash, type TrashStore } from '#trash';
import { clock, TrashModule, trashStore } from '#wiring';
import {
  CurrentActor,
  ExistenceChecks,
  Existing,
  listOf,
  May,
  PageQuery,
  PathId,
  Post,
  Responds,
} from '../http/index.ts';
import { RestoredResponse, trashEntryDto, TrashResponse } from './trash.dto.ts';

@Controller('v2/trash')
export class TrashController {
  constructor(
    @Inject(Trash) private readonly trash: Trash,
    @Inject(trashStore) private readonly store: TrashStore,
    @Inject(clock) private readonly clock: Clock,
  ) {}

  @Get()
  @May('trash.manage')
  @Responds(200, TrashResponse, {
    id: 'trash.list',
    summary: 'List deleted items',
    description:
      'Lists deleted boards, folders, media, library items and personas that can still be restored, newest first. Returns for ' +
      'each who deleted it, and until when it is kept (`DELETE_GRACE_DAYS`). Only for admins and the owner.',
  })
  async getTrash(@CurrentActor() { workspaceId }: Actor, @PageQuery() page: PageRequest) {
    return listOf('trash', await this.store.list(workspaceId, this.clock.now(), page), trashEntryDto);
  }

  @Post(':id/restore')
  @May('trash.manage')
  @Existing('trash entry', 'id')
  @Responds(200, RestoredResponse, {
    id: 'trash.restore',
    summary: 'Restore a deleted item',
    description:
      'Restores a deleted item with its identifiers and everything that was deleted with it. Returns the entry. ' +
      'Only for admins and the owner. Its files are served again soon after. `conflict` when the board or folder ' +
      'that contained it is deleted too: restore that first.',
    errors: ['conflict'],
  })
  async postRestore(@CurrentActor() actor: Actor, @PathId('id') id: number) {
    return { restored: trashEntryDto(await this.trash.restore(actor, id)) };
  }

  @Delete(':id')
  @May('trash.manage')
  @Existing('trash entry', 'id')
  @Responds(200, null, {
    id: 'trash.delete',
    summary: 'Delete an item for good',
    description:
      'Deletes an entry of the trash for good. Returns only `status`. Only for admins and the owner. The bytes of ' +
      'its files are deleted soon after.',
  })
  deleteEntry(@CurrentActor() actor: Actor, @PathId('id') id: number) {
    return this.trash.erase(actor, id);
  }
}

@Module({ imports: [TrashModule], controllers: [TrashController] })
export class TrashApiModule {
  constructor(
    @Inject(ExistenceChecks) checks: ExistenceChecks,
    @Inject(trashStore) store: TrashStore,
    @Inject(clock) time: Clock,
  ) {
    checks.register('trash entry', ({ workspaceId }, id) => store.exists(workspaceId, id, time.now()));
  }
}
