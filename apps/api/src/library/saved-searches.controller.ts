import { Controller, Delete, Get, Inject, Put } from '@nestjs/common';
import type { Actor } from '#identity';
import { DEFAULT_PAGE } from '#kernel';
import { SavedSearches, type SavedSearchStore } from '#library';
import { savedSearchStore } from '#wiring';
import {
  CurrentActor,
  ExistenceChecks,
  Existing,
  PathId,
  Post,
  RequestBody,
  RequestQuery,
  Responds,
} from '../http/index.ts';
import { filterOf } from './library.dto.ts';
import {
  changedFilterOf,
  cursorOfName,
  nameIn,
  savedSearchDto,
  SavedSearchesQuery,
  SavedSearchesResponse,
  SavedSearchRequest,
  SavedSearchResponse,
  UpdateSavedSearchRequest,
} from './saved-searches.dto.ts';

@Controller('v2/searches')
export class SavedSearchesController {
  constructor(
    @Inject(SavedSearches) private readonly searches: SavedSearches,
    @Inject(savedSearchStore) private readonly store: SavedSearchStore,
    @Inject(ExistenceChecks) checks: ExistenceChecks,
  ) {
    checks.register('saved search', async (actor, id) => {
      await searches.assertMayChange(actor, id);
      return true;
    });
  }

  @Get()
  @Responds(200, SavedSearchesResponse, {
    id: 'searches.list',
    summary: 'List saved searches',
    description: 'Lists the saved searches of the workspace by name. Returns a page of them, each with its filters.',
  })
  async getSearches(
    @CurrentActor() { workspaceId }: Actor,
    @RequestQuery() { limit = DEFAULT_PAGE, cursor = '' }: SavedSearchesQuery,
  ) {
    const after = cursor && nameIn(cursor);
    const found = await this.store.list(workspaceId, limit + 1, after);
    const page = found.slice(0, limit);
    const last = found.length > limit ? page.at(-1)! : null;
    return { searches: page.map(savedSearchDto), next_cursor: last && cursorOfName(last.name) };
  }

  @Post()
  @Responds(201, SavedSearchResponse, {
    id: 'searches.create',
    summary: 'Save a search',
    description:
      'Saves a search of the library for the members of the workspace. Returns the saved search. `conflict` when the name ' +
      'is taken, and for a person who has 200.',
    errors: ['conflict'],
  })
  async postSearch(@CurrentActor() actor: Actor, @RequestBody() body: SavedSearchRequest) {
    return { search: savedSearchDto(await this.searches.create(actor, body.name, filterOf(body))) };
  }

  @Put(':id')
  @Existing('saved search', 'id')
  @Responds(200, SavedSearchResponse, {
    id: 'searches.update',
    summary: 'Change a saved search',
    description:
      'Renames a saved search, or replaces all of its filters if any is given. Returns the saved search. Only for its ' +
      'creator, admins and the owner.',
    errors: ['conflict'],
  })
  async putSearch(
    @CurrentActor() actor: Actor,
    @PathId('id') id: number,
    @RequestBody() body: UpdateSavedSearchRequest,
  ) {
    const change = { name: body.name, filter: changedFilterOf(body) };
    return { search: savedSearchDto(await this.searches.update(actor, id, change)) };
  }

  @Delete(':id')
  @Responds(200, null, {
    id: 'searches.delete',
    summary: 'Delete a saved search',
    description: 'Deletes a saved search. Returns only `status`. Only for its creator, admins and the owner.',
  })
  deleteSearch(@CurrentActor() actor: Actor, @PathId('id') id: number) {
    return this.searches.delete(actor, id);
  }
}
