import type { BareRoute } from './bare-server.ts';

/** The caller's workspace by the token in $1. */
const CALLER = `with caller as (
  select m.workspace_id from api_tokens t, lateral (
    select workspace_id from memberships where user_id = t.user_id order by is_team desc limit 1) m
  where t.hash = $1 and (t.expires_at is null or t.expires_at > now()))`;

const LIST = `${CALLER}
  select json_build_object('boards', (select json_agg(row_to_json(b)) from (
    select id, name, folders_count, media_count, created_at from boards
    where workspace_id = caller.workspace_id and deletion_id is null order by id desc limit 50) b))::text as json
  from caller`;

const MEDIA = `m.id, 'http://files.test/' || m.file_key as url, m.control_image_key as control_image, m.folder_id,
  m.extras, m.state, m.error, m.width, m.height, m.duration, m.content_type, m.placeholder, m.thumbnails, m.created_at`;

const BOARD = `${CALLER}
  select json_build_object('board', row_to_json(r))::text as json from (
    select b.id, b.name, b.folders_count, b.media_count, b.created_at,
      (select json_agg(row_to_json(f)) from (
        select id, name, parent_id from folders where board_id = b.id order by id) f) as folders,
      (select json_agg(row_to_json(x)) from (
        select ${MEDIA} from media m where m.board_id = b.id order by m.id desc) x) as media
    from boards b, caller where b.id = $2 and b.workspace_id = caller.workspace_id and b.deletion_id is null) r`;

const change = (set: string) => `update boards b set ${set} from caller
  where b.id = $2 and b.workspace_id = caller.workspace_id and b.deletion_id is null returning b.id`;

const FOLDER = `${CALLER}, board as (${change('folders_count = folders_count + 1, version = version + 1')}),
  folder as (insert into folders (board_id, name, created_at) select id, 'x', now() from board
    returning id, name, parent_id)
  select json_build_object('folder', row_to_json(f))::text as json from folder f`;

const MOVE = `${CALLER}, board as (${change('version = version + 1')}),
  moved as (update media m set folder_id = $4 from board where m.board_id = board.id and m.id = $3 returning ${MEDIA})
  select json_build_object('media', row_to_json(moved))::text as json from moved`;

/** As little as a request can do: one statement, which makes the JSON, with the token in it and no transaction around. */
export function boardLimits(hash: Buffer): Record<string, BareRoute> {
  const route = (status: number, text: string, ...values: string[]) => ({
    status,
    statements: [{ text, values: [hash, ...values] }],
  });
  return {
    list: route(200, LIST),
    board: route(200, BOARD, ':0'),
    folder: route(201, FOLDER, ':0'),
    move: route(200, MOVE, ':0', ':1', ':2'),
  };
}

/**
 * Accepts a generation with two inputs, in one statement: the token's hash, the persona, the key of the file that is both
 * inputs, the cost, the credits of the month, the model, the prompt, the parameters.
 */
export const GENERATE = `with caller as (
    select t.user_id, m.workspace_id from api_tokens t, lateral (
      select workspace_id from memberships where user_id = t.user_id order by is_team desc limit 1) m
    where t.hash = $1 and (t.expires_at is null or t.expires_at > now())),
  persona as (select p.id, caller.* from personas p join caller using (workspace_id)
    where p.id = $2 and p.deletion_id is null for key share of p),
  file as (select f.id, f.key from files f join caller using (workspace_id) where f.key = $3 for key share of f),
  spent as (insert into credit_months (workspace_id, month, used)
    select workspace_id, date_trunc('month', now())::date, $4::integer from persona, file
    on conflict (workspace_id, month) do update set used = credit_months.used + excluded.used
    where credit_months.used + excluded.used <= $5::bigint + credit_months.granted returning month),
  added as (insert into generations (workspace_id, user_id, persona_id, model, kind, state, prompt, parameters,
      image_key, image_file_id, style_key, style_file_id, cost, created_at)
    select persona.workspace_id, persona.user_id, persona.id, $6, 'image', 'queued', $7, $8,
      file.key, file.id, file.key, file.id, $4, now() from persona, file, spent
    returning id, workspace_id, user_id),
  entry as (insert into credit_entries (key, workspace_id, user_id, generation_id, month, kind, amount, created_at)
    select 'reserve:' || id, workspace_id, user_id, id, month, 'reserve', $4, now() from added, spent),
  used as (insert into credit_usage (workspace_id, month, user_id, used, generations)
    select workspace_id, month, user_id, $4, 1 from added, spent
    on conflict (workspace_id, month, user_id) do update
    set used = credit_usage.used + excluded.used, generations = credit_usage.generations + 1),
  job as (insert into jobs (name, payload, due_at, created_at, relayed_at, queue, workspace_id)
    select 'generation.run', json_build_object('generationId', id), now(), now(), now(), 'generations', workspace_id
    from added)
  select id from added`;
