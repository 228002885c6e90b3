import type { TestService } from '../../support/service.ts';

/** Shapes of pictures, in pixels. */
const SHAPES = [
  [1600, 900],
  [900, 1600],
  [1200, 1200],
  [2000, 800],
  [800, 1000],
];

/** Puts many media on a board, each one showing what one of those already there shows, in other proportions. */
export async function fillBoard({ database }: TestService, boardId: number, count: number, folderId: number | null) {
  const shapes = SHAPES.map(([width, height]) => `(${width}, ${height})`).join(', ');
  await database.query(
    `with sample as (
       select row_number() over (order by id) - 1 as nth, count(*) over () as many, media.*
       from media where board_id = $1 and state = 'processed' and jsonb_array_length(thumbnails) > 0
     ), shape as (select row_number() over () - 1 as nth, width, height from (values ${shapes}) as s (width, height))
     insert into media (board_id, folder_id, created_by, file_key, extras, state, width, height, content_type,
                        placeholder, thumbnails, created_at)
     select $1, $3, created_by, file_key, extras, 'processed', shape.width, shape.height, content_type, placeholder,
            thumbnails, now()
     from generate_series(1, $2) as number
     join sample on sample.nth = number % sample.many
     join shape on shape.nth = number % ${SHAPES.length}`,
    [boardId, count, folderId],
  );
  const counts = `(select count(*) from media where board_id = boards.id)`;
  await database.query(`update boards set media_count = ${counts}, version = version + 1 where id = $1`, [boardId]);
}
