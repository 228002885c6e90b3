import { sql, type RawBuilder } from 'kysely';
import { MAX_ANCESTORS, MAX_RELATIVES } from '#generation';
import { isShownOutput } from '../files/file-rows.ts';
import { anyIn, build, type Param } from '../prepared.ts';

/** Descendants that are looked at: PostgreSQL walks no further than what is read of a recursion. */
const MAX_WALKED = 5_000;

/**
 * The ids of a generation, its nearest ancestors and its newest descendants, one more of both than are shown. A parent is
 * older than what goes on from it, so the walk ends.
 */
export function relatives(param: Param<{ workspaceId: number; id: number }>): RawBuilder<number> {
  const start = build
    .selectFrom('generations')
    .select(['id', 'parent_id'])
    .where((eb) => eb.and({ id: param('id'), workspace_id: param('workspaceId') }));
  const ids = build
    .withRecursive('up', (db) =>
      start.unionAll(
        db
          .selectFrom('up')
          .innerJoin('generations', 'generations.id', 'up.parent_id')
          .where('generations.workspace_id', '=', param('workspaceId'))
          .select(['generations.id', 'generations.parent_id']),
      ),
    )
    .withRecursive('down', (db) =>
      start.unionAll(
        db
          .selectFrom('down')
          .innerJoin('generations', 'generations.parent_id', 'down.id')
          .where('generations.workspace_id', '=', param('workspaceId'))
          .where('generations.state', 'not in', ['failed', 'canceled'])
          .select(['generations.id', 'generations.parent_id']),
      ),
    )
    // The first is the generation itself.
    .selectFrom((eb) =>
      eb
        .selectFrom('up')
        .select('id')
        .limit(sql.lit(MAX_ANCESTORS + 2))
        .as('ancestors'),
    )
    .select('ancestors.id')
    .unionAll((eb) =>
      eb
        .selectFrom(
          eb
            .selectFrom(eb.selectFrom('down').select('id').limit(sql.lit(MAX_WALKED)).as('walked'))
            .innerJoin('generations', 'generations.id', 'walked.id')
            .where('generations.id', '>', param('id'))
            .where((shown) =>
              shown.or([
                shown('generations.state', 'in', ['queued', 'running']),
                shown.exists(
                  shown
                    .selectFrom('generation_outputs')
                    .innerJoin('files', 'files.id', 'generation_outputs.file_id')
                    .where((file) => isShownOutput(file as never))
                    .whereRef('generation_outputs.generation_id', '=', 'generations.id'),
                ),
              ]),
            )
            .select('generations.id')
            .orderBy('generations.id', 'desc')
            .limit(sql.lit(MAX_RELATIVES + 1))
            .as('descendants'),
        )
        .select('descendants.id'),
    );
  return anyIn<number>(ids as never);
}
