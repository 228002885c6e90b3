import { sql, type Compilable, type FilterObject, type SelectQueryBuilder } from 'kysely';
import type { PersonalFile, Row } from '#export';
import type { Email } from '#identity';
import { SESSION_KINDS } from '../identity/postgres-sessions.ts';
import { build } from '../prepared.ts';
import type { Tables } from '../schema.ts';
import { lastOpenedAt, openedCount } from '../sharing/share-openings.ts';

/** A person, and their personal workspace. */
export interface Person {
  readonly userId: number;
  readonly email: Email;
  readonly workspaceId: number;
}

interface Document {
  readonly about: string;
  readonly rows: Compilable<Row>;
}

export const selectPerson = (userId: number): Compilable<Person> =>
  build
    .selectFrom('users')
    .innerJoin('memberships', 'memberships.user_id', 'users.id')
    .where('memberships.is_team', '=', false)
    .where('users.id', '=', userId)
    .where('users.email', 'is not', null)
    .select(['users.id as userId', 'users.email', 'memberships.workspace_id as workspaceId'])
    .$narrowType<{ email: Email }>();

/** Files that are not in the trash. */
export const selectFiles = ({ workspaceId }: Person): Compilable<PersonalFile> =>
  rowsOf('files', { workspace_id: workspaceId, deletion_id: null })
    .select(['id', 'key', 'filename', 'size'])
    .select('created_at as createdAt');

/** The documents by name. They have no secrets: no password, token, hash, key of an object or vendor's handle. */
export function documentsOf({ userId, email, workspaceId }: Person): Readonly<Record<string, Document>> {
  const ofUser = { user_id: userId };
  const ofWorkspace = { workspace_id: workspaceId };
  const notDeleted = { ...ofWorkspace, deletion_id: null };
  const personas = idsOf('personas', notDeleted);
  const boards = idsOf('boards', notDeleted);
  const ofBoards = { board_id: boards, deletion_id: null };
  const media = idsOf('media', ofBoards);
  const generations = idsOf('generations', ofWorkspace);
  return {
    profile: {
      about: 'The account.',
      rows: rowsOf('users', { id: userId })
        .select(['id', 'email', 'name', 'created_at', 'email_verified_at', 'is_operator'])
        .select((eb) => [
          eb('password_hash', 'is not', null).as('has_password'),
          eb.selectFrom('two_factors').where('user_id', '=', userId).select('confirmed_at').as('two_factor_since'),
          'avatar_file_id',
        ]),
    },
    preferences: {
      about: 'Settings that clients keep, such as the size of tiles in the console.',
      rows: rowsOf('user_preferences', ofUser).select('preferences'),
    },
    identities: {
      about: 'Linked identities of single sign-on.',
      rows: rowsOf('identities', ofUser).select(['id', 'issuer', 'subject', 'email', 'created_at']),
    },
    sessions: {
      about: 'Sessions, of browsers and of log-ins.',
      rows: rowsOf('api_tokens', ofUser)
        .where('kind', 'in', SESSION_KINDS)
        .select(['id', 'created_at', 'last_used_at', 'expires_at', 'address', 'user_agent']),
    },
    tokens: {
      about: 'API tokens.',
      rows: rowsOf('api_tokens', ofUser)
        .where('kind', '=', 'api')
        .select(['id', 'name', 'created_at', 'last_used_at', 'expires_at'])
        .select(['scopes', 'monthly_credits']),
    },
    memberships: {
      about: 'The personal workspace, and teams.',
      rows: rowsOf('memberships', ofUser)
        .innerJoin('workspaces', 'workspaces.id', 'workspace_id')
        .select(['workspace_id', 'kind', 'plan', 'role', 'joined_at']),
    },
    invitations: {
      about: 'Invitations to teams.',
      rows: rowsOf('invitations', { ...ofUser, email }, 'or')
        .select(['id', 'workspace_id', 'email', 'role', 'state'])
        .select(['created_at', 'expires_at', 'ended_at']),
    },
    personas: {
      about: 'Personas.',
      rows: rowsOf('personas', notDeleted)
        .select(['id', 'name', 'title', 'knows', 'profession', 'customer', 'metadata'])
        .select(['created_at', 'updated_at']),
    },
    trainings: {
      about: 'Pictures of personas: in a slot, or likes.',
      rows: rowsOf('trainings', { persona_id: personas })
        .select(['id', 'persona_id', 'slot', 'source_url', 'file_id', 'state', 'error', 'extras', 'info'])
        .select('created_at'),
    },
    boards: {
      about: 'Boards.',
      rows: rowsOf('boards', notDeleted).select(['id', 'name', 'created_at', 'customer', 'metadata']),
    },
    folders: {
      about: 'Folders of boards.',
      rows: rowsOf('folders', ofBoards).select(['id', 'board_id', 'parent_id', 'name', 'created_at']),
    },
    media: {
      about: 'Media items of boards.',
      rows: rowsOf('media', ofBoards)
        .select(['id', 'board_id', 'folder_id', 'source_url', 'source_control_image', 'extras', 'state', 'error'])
        .select(['replaced_by', 'created_at'])
        .select(sql`array(select file_id from media_files where media_id = media.id order by file_id)`.as('file_ids')),
    },
    notes: {
      about: 'Notes on the boards.',
      rows: rowsOf('notes', { board_id: boards })
        .where((eb) => eb.or([eb('folder_id', 'is', null), eb('folder_id', '=', idsOf('folders', ofBoards))]))
        .select(['id', 'board_id', 'folder_id', 'created_by', 'text', 'created_at', 'updated_at']),
    },
    comments: {
      about: 'Comments on media items of the boards.',
      rows: rowsOf('comments', { media_id: media })
        .select(['id', 'media_id', 'parent_id', 'created_by', 'guest_name', 'text', 'x', 'y', 'seconds', 'mentions'])
        .select(['drawing', 'created_at', 'edited_at', 'resolved_at', 'resolved_by']),
    },
    shares: {
      about: 'Links for guests, also those made in teams.',
      rows: rowsOf('shares', { ...ofWorkspace, created_by: userId }, 'or')
        .select(['id', 'workspace_id', 'name', 'board_id', 'folder_id', 'allow', 'watermark', 'label', 'expires_at'])
        .select(['created_at', openedCount.as('opened_count'), lastOpenedAt.as('last_opened_at')]),
    },
    decisions: {
      about: 'Decisions about media items of the boards.',
      rows: rowsOf('decisions', { media_id: media })
        .select(['id', 'media_id', 'user_id', 'verdict', 'text'])
        .select('created_at'),
    },
    inbox: {
      about: 'The inbox, also in teams: entries by kind, with the event and the time at which they were read.',
      rows: rowsOf('inbox_entries', { 'inbox_entries.user_id': userId })
        .innerJoin('events', 'events.seq', 'event_seq')
        .select(['inbox_entries.id', 'inbox_entries.workspace_id', 'kind', 'type', 'subject_id'])
        .select(['events.created_at', 'read_at']),
    },
    inbox_settings: {
      about: 'Kinds of entries of the inbox whose mails were chosen.',
      rows: rowsOf('inbox_settings', ofUser).select(['kind', 'mail']),
    },
    presets: {
      about: 'Settings of generations that were saved under a name.',
      rows: rowsOf('presets', ofWorkspace)
        .select(['id', 'name', 'model', 'prompt', 'parameters', 'persona_id', 'style_transfer'])
        .select(['created_at', 'updated_at']),
    },
    generations: {
      about: 'Generations with their parameters.',
      rows: rowsOf('generations', ofWorkspace)
        .select(['id', 'persona_id', 'model', 'kind', 'state', 'prompt', 'parameters', 'image_url', 'image_file_id'])
        .select(['parent_id', 'parent_output', 'style_url', 'style_file_id', 'webhook', 'cost', 'error_code', 'error'])
        .select(['batch_id', 'cell', 'customer', 'metadata', 'created_at', 'started_at', 'finished_at']),
    },
    batches: {
      about: 'Batches of generations.',
      rows: rowsOf('batches', ofWorkspace)
        .select(['id', 'name', 'state', 'webhook', 'matrix', 'total', 'cost', 'customer', 'metadata'])
        .select(['created_at', 'ended_at']),
    },
    generation_inputs: {
      about: 'Further input pictures of generations.',
      rows: rowsOf('generation_inputs', { generation_id: generations })
        .orderBy('input')
        .orderBy('position')
        .select(['generation_id', 'input', 'position', 'url', 'file_id']),
    },
    generation_results: {
      about: 'Results of generations.',
      rows: rowsOf('generation_outputs', { generation_id: generations })
        .orderBy('position')
        .select(['generation_id', 'position', 'file_id', 'label', 'score']),
    },
    uploads: {
      about: 'Uploads, also those that were never finalized.',
      rows: rowsOf('uploads', ofWorkspace)
        .select(['id', 'persona_id', 'filename', 'state', 'file_id', 'customer', 'metadata'])
        .select(['created_at', 'expires_at']),
    },
    files: {
      about: 'Files, with their path in this zip.',
      rows: rowsOf('files', notDeleted)
        .select(['id', 'persona_id', 'origin', 'filename', 'size', 'content_type', 'width', 'height', 'duration'])
        .select(['customer', 'metadata', 'created_at', 'expires_at']),
    },
    library: {
      about: 'Tags and ratings of files.',
      rows: rowsOf('library_items', notDeleted)
        .where((eb) => eb.or([eb('rating', '>', 0), eb('tags', '!=', sql<string[]>`'{}'`)]))
        .select(['file_id', 'tags', 'rating']),
    },
    saved_searches: {
      about: 'Saved searches, also those in teams.',
      rows: rowsOf('saved_searches', { created_by: userId })
        .select(['id', 'workspace_id', 'name', 'filter'])
        .select(['created_at', 'updated_at']),
    },
    webhook_deliveries: {
      about: 'Calls of webhooks of the last 30 days.',
      rows: rowsOf('webhook_deliveries', ofWorkspace)
        .select(['id', 'generation_id', 'batch_id', 'url', 'message_id', 'state', 'tries', 'attempts'])
        .select('created_at'),
    },
    credits: {
      about: 'Entries of the ledger of credits.',
      rows: rowsOf('credit_entries', ofWorkspace)
        .select(['id', 'generation_id', sql`month::text`.as('month'), 'kind', 'amount', 'reason'])
        .select('created_at'),
    },
    audit_log: {
      about: 'What the account did, by the audit log.',
      rows: rowsOf('audit_log', ofUser)
        .select(['id', 'workspace_id', 'at', 'via', 'action', 'target_type', 'target_id', 'details', 'address'])
        // Names in a team belong to the team.
        .select(['request_id', sql`case when workspace_id = ${workspaceId} then target_name end`.as('target_name')]),
    },
  };
}

/** The rows that meet all of the conditions or, with `or`, any of them; in the order of the first selected column. */
function rowsOf<Table extends keyof Tables>(table: Table, of: FilterObject<Tables, Table>, by: 'and' | 'or' = 'and') {
  return (build.selectFrom<keyof Tables>(table) as unknown as SelectQueryBuilder<Tables, Table, object>)
    .where((eb) => eb[by](of))
    .orderBy(sql`1`);
}

/** A condition on a column that refers to rows: they meet all of the conditions. */
function idsOf<Table extends keyof Tables>(table: Table, of: FilterObject<Tables, Table>) {
  return sql<number>`any ${rowsOf(table, of).clearOrderBy().select(sql.ref('id').as('id'))}`;
}
