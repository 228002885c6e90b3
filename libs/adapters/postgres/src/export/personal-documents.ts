import { sql } from 'kysely';
import type { PersonalFile } from '#export';
import { SESSION_KINDS } from '../identity/postgres-sessions.ts';
import { build, prepared, type Param, type Prepared } from '../prepared.ts';
import { lastOpenedAt, openedCount } from '../sharing/share-openings.ts';

/** A person, and their personal workspace. */
export interface Person {
  readonly userId: number;
  readonly workspaceId: number;
}

interface Document {
  readonly name: string;
  readonly about: string;
  readonly rows: Prepared<Person, unknown>;
}

export const selectPerson = prepared<{ readonly userId: number }>()((param) =>
  build
    .selectFrom('users')
    .innerJoin('memberships', 'memberships.user_id', 'users.id')
    .where('memberships.is_team', '=', false)
    .where('users.id', '=', param('userId'))
    .where('users.email', 'is not', null)
    .select(['users.id as userId', 'users.email', 'memberships.workspace_id as workspaceId']),
);

/** Files that exist: not in the trash, and not expired. */
const files = () => build.selectFrom('files').where('deletion_id', 'is', null);

export const selectFiles = prepared<Person>()((param) =>
  files()
    .where('workspace_id', '=', param('workspaceId'))
    .orderBy('id')
    .select(['id', 'key', 'filename', 'size', 'created_at as createdAt'])
    .$castTo<PersonalFile>(),
);

const mediaOfBoards = (param: Param<Person>) =>
  build
    .selectFrom('media')
    .innerJoin('boards', 'boards.id', 'media.board_id')
    .where('boards.workspace_id', '=', param('workspaceId'))
    .where((eb) => eb.and({ 'boards.deletion_id': null, 'media.deletion_id': null }));

/** A document without secrets: no password, token, hash, key of an object or vendor's handle. */
export const DOCUMENTS: readonly Document[] = [
  {
    name: 'profile',
    about: 'The account.',
    rows: prepared<Person>()((param) =>
      build
        .selectFrom('users')
        .where('id', '=', param('userId'))
        .select(['id', 'email', 'name', 'created_at', 'email_verified_at', 'is_operator'])
        .select((eb) => [
          eb('password_hash', 'is not', null).as('has_password'),
          eb
            .selectFrom('two_factors')
            .whereRef('two_factors.user_id', '=', 'users.id')
            .select('confirmed_at')
            .as('two_factor_since'),
          'avatar_file_id',
        ]),
    ),
  },
  {
    name: 'identities',
    about: 'Linked identities of single sign-on.',
    rows: prepared<Person>()((param) =>
      build
        .selectFrom('identities')
        .where('user_id', '=', param('userId'))
        .orderBy('id')
        .select(['id', 'issuer', 'subject', 'email', 'created_at']),
    ),
  },
  {
    name: 'sessions',
    about: 'Sessions, of browsers and of log-ins.',
    rows: prepared<Person>()((param) =>
      build
        .selectFrom('api_tokens')
        .where('user_id', '=', param('userId'))
        .where('kind', 'in', SESSION_KINDS)
        .orderBy('id')
        .select(['id', 'created_at', 'last_used_at', 'expires_at', 'address', 'user_agent']),
    ),
  },
  {
    name: 'tokens',
    about: 'API tokens.',
    rows: prepared<Person>()((param) =>
      build
        .selectFrom('api_tokens')
        .where('user_id', '=', param('userId'))
        .where('kind', '=', 'api')
        .orderBy('id')
        .select(['id', 'name', 'created_at', 'last_used_at', 'expires_at', 'scopes', 'monthly_credits']),
    ),
  },
  {
    name: 'memberships',
    about: 'The personal workspace, and teams.',
    rows: prepared<Person>()((param) =>
      build
        .selectFrom('memberships')
        .innerJoin('workspaces', 'workspaces.id', 'memberships.workspace_id')
        .where('user_id', '=', param('userId'))
        .orderBy('workspace_id')
        .select(['workspace_id', 'kind', 'plan', 'role', 'joined_at']),
    ),
  },
  {
    name: 'invitations',
    about: 'Invitations to teams.',
    rows: prepared<Person>()((param) =>
      build
        .selectFrom('invitations')
        .where((eb) =>
          eb.or([
            eb('user_id', '=', param('userId')),
            eb('email', '=', eb.selectFrom('users').where('id', '=', param('userId')).select('email')),
          ]),
        )
        .orderBy('id')
        .select(['id', 'workspace_id', 'email', 'role', 'state', 'created_at', 'expires_at', 'ended_at']),
    ),
  },
  {
    name: 'personas',
    about: 'Personas.',
    rows: prepared<Person>()((param) =>
      build
        .selectFrom('personas')
        .where('workspace_id', '=', param('workspaceId'))
        .where('deletion_id', 'is', null)
        .orderBy('id')
        .select(['id', 'name', 'title', 'knows', 'profession', 'created_at', 'updated_at']),
    ),
  },
  {
    name: 'trainings',
    about: 'Pictures of personas: in a slot, or likes.',
    rows: prepared<Person>()((param) =>
      build
        .selectFrom('trainings')
        .innerJoin('personas', 'personas.id', 'trainings.persona_id')
        .where('personas.workspace_id', '=', param('workspaceId'))
        .where('personas.deletion_id', 'is', null)
        .orderBy('trainings.id')
        .select(['trainings.id', 'persona_id', 'slot', 'source_url', 'file_id', 'state', 'error', 'extras', 'info'])
        .select('trainings.created_at'),
    ),
  },
  {
    name: 'boards',
    about: 'Boards.',
    rows: prepared<Person>()((param) =>
      build
        .selectFrom('boards')
        .where('workspace_id', '=', param('workspaceId'))
        .where('deletion_id', 'is', null)
        .orderBy('id')
        .select(['id', 'name', 'created_at']),
    ),
  },
  {
    name: 'folders',
    about: 'Folders of boards.',
    rows: prepared<Person>()((param) =>
      build
        .selectFrom('folders')
        .innerJoin('boards', 'boards.id', 'folders.board_id')
        .where('boards.workspace_id', '=', param('workspaceId'))
        .where((eb) => eb.and({ 'boards.deletion_id': null, 'folders.deletion_id': null }))
        .orderBy('folders.id')
        .select(['folders.id', 'board_id', 'parent_id', 'folders.name', 'folders.created_at']),
    ),
  },
  {
    name: 'media',
    about: 'Media items of boards.',
    rows: prepared<Person>()((param) =>
      mediaOfBoards(param)
        .orderBy('media.id')
        .select(['media.id', 'board_id', 'folder_id', 'source_url', 'source_control_image', 'extras', 'state', 'error'])
        .select(['width', 'height', 'duration', 'content_type', 'media.created_at'])
        .select(
          sql<number[]>`array(select file_id from media_files where media_id = media.id order by file_id)`.as(
            'file_ids',
          ),
        ),
    ),
  },
  {
    name: 'comments',
    about: 'Comments on media items of the boards.',
    rows: prepared<Person>()((param) =>
      mediaOfBoards(param)
        .innerJoin('comments', 'comments.media_id', 'media.id')
        .orderBy('comments.id')
        .select([
          'comments.id',
          'comments.media_id',
          'parent_id',
          'comments.created_by',
          'comments.guest_name',
          'text',
          'x',
          'y',
          'seconds',
          'mentions',
        ])
        .select(['comments.created_at', 'edited_at', 'resolved_at', 'resolved_by']),
    ),
  },
  {
    name: 'shares',
    about: 'Links for guests, also those made in teams.',
    rows: prepared<Person>()((param) =>
      build
        .selectFrom('shares')
        .where((eb) => eb.or([eb('workspace_id', '=', param('workspaceId')), eb('created_by', '=', param('userId'))]))
        .orderBy('id')
        .select(['id', 'workspace_id', 'name', 'board_id', 'folder_id', 'allow', 'watermark', 'expires_at'])
        .select(['created_at', openedCount.as('opened_count'), lastOpenedAt.as('last_opened_at')]),
    ),
  },
  {
    name: 'decisions',
    about: 'Decisions about media items of the boards.',
    rows: prepared<Person>()((param) =>
      mediaOfBoards(param)
        .innerJoin('decisions', 'decisions.media_id', 'media.id')
        .orderBy('decisions.id')
        .select(['decisions.id', 'decisions.media_id', 'user_id', 'verdict', 'text', 'decisions.created_at']),
    ),
  },
  {
    name: 'presets',
    about: 'Settings of generations that were saved under a name.',
    rows: prepared<Person>()((param) =>
      build
        .selectFrom('presets')
        .where('workspace_id', '=', param('workspaceId'))
        .orderBy('id')
        .select(['id', 'name', 'model', 'prompt', 'parameters', 'persona_id', 'style_transfer'])
        .select(['created_at', 'updated_at']),
    ),
  },
  {
    name: 'generations',
    about: 'Generations with their parameters.',
    rows: prepared<Person>()((param) =>
      build
        .selectFrom('generations')
        .where('workspace_id', '=', param('workspaceId'))
        .orderBy('id')
        .select(['id', 'persona_id', 'model', 'kind', 'state', 'prompt', 'parameters', 'image_url', 'image_file_id'])
        .select(['parent_id', 'parent_output', 'style_url', 'style_file_id', 'webhook', 'cost', 'error_code', 'error'])
        .select(['batch_id', 'cell'])
        .select(['created_at', 'started_at', 'finished_at']),
    ),
  },
  {
    name: 'batches',
    about: 'Batches of generations.',
    rows: prepared<Person>()((param) =>
      build
        .selectFrom('batches')
        .where('workspace_id', '=', param('workspaceId'))
        .orderBy('id')
        .select(['id', 'name', 'state', 'webhook', 'matrix', 'total', 'cost', 'created_at', 'ended_at']),
    ),
  },
  {
    name: 'generation_inputs',
    about: 'Further input pictures of generations.',
    rows: prepared<Person>()((param) =>
      build
        .selectFrom('generation_inputs')
        .innerJoin('generations', 'generations.id', 'generation_id')
        .where('workspace_id', '=', param('workspaceId'))
        .orderBy('generation_id')
        .orderBy('input')
        .orderBy('position')
        .select(['generation_id', 'input', 'position', 'url', 'file_id']),
    ),
  },
  {
    name: 'generation_results',
    about: 'Results of generations.',
    rows: prepared<Person>()((param) =>
      build
        .selectFrom('generation_outputs')
        .innerJoin('generations', 'generations.id', 'generation_id')
        .where('workspace_id', '=', param('workspaceId'))
        .orderBy('generation_id')
        .orderBy('position')
        .select(['generation_id', 'position', 'file_id', 'content_type', 'width', 'height', 'duration'])
        .select(['label', 'score']),
    ),
  },
  {
    name: 'uploads',
    about: 'Uploads, also those that were never finalized.',
    rows: prepared<Person>()((param) =>
      build
        .selectFrom('uploads')
        .where('workspace_id', '=', param('workspaceId'))
        .orderBy('id')
        .select(['id', 'persona_id', 'filename', 'state', 'file_id', 'created_at', 'expires_at']),
    ),
  },
  {
    name: 'files',
    about: 'Files, with their path in this zip.',
    rows: prepared<Person>()((param) =>
      files()
        .where('workspace_id', '=', param('workspaceId'))
        .orderBy('id')
        .select(['id', 'persona_id', 'origin', 'filename', 'size', 'content_type', 'created_at', 'expires_at']),
    ),
  },
  {
    name: 'library',
    about: 'Tags and ratings of files.',
    rows: prepared<Person>()((param) =>
      build
        .selectFrom('library_items')
        .where('workspace_id', '=', param('workspaceId'))
        .where('deletion_id', 'is', null)
        .where((eb) => eb.or([eb('rating', '>', 0), eb('tags', '!=', sql<string[]>`'{}'`)]))
        .orderBy('file_id')
        .select(['file_id', 'tags', 'rating']),
    ),
  },
  {
    name: 'saved_searches',
    about: 'Saved searches, also those in teams.',
    rows: prepared<Person>()((param) =>
      build
        .selectFrom('saved_searches')
        .where('created_by', '=', param('userId'))
        .orderBy('id')
        .select(['id', 'workspace_id', 'name', 'filter', 'created_at', 'updated_at']),
    ),
  },
  {
    name: 'webhook_deliveries',
    about: 'Calls of webhooks of the last 30 days.',
    rows: prepared<Person>()((param) =>
      build
        .selectFrom('webhook_deliveries')
        .where('workspace_id', '=', param('workspaceId'))
        .orderBy('id')
        .select(['id', 'generation_id', 'batch_id', 'url', 'message_id', 'state', 'tries', 'attempts', 'created_at']),
    ),
  },
  {
    name: 'credits',
    about: 'Entries of the ledger of credits.',
    rows: prepared<Person>()((param) =>
      build
        .selectFrom('credit_entries')
        .where('workspace_id', '=', param('workspaceId'))
        .orderBy('id')
        .select([
          'id',
          'generation_id',
          sql<string>`month::text`.as('month'),
          'kind',
          'amount',
          'reason',
          'created_at',
        ]),
    ),
  },
  {
    name: 'audit_log',
    about: 'What the account did, by the audit log.',
    rows: prepared<Person>()((param) =>
      build
        .selectFrom('audit_log')
        .where('user_id', '=', param('userId'))
        .orderBy('id')
        .select(['id', 'workspace_id', 'at', 'via', 'action', 'target_type', 'target_id', 'details', 'address'])
        .select('request_id')
        // Names in a team belong to the team.
        .select(
          sql<string | null>`case when workspace_id = ${param('workspaceId')} then target_name end`.as('target_name'),
        ),
    ),
  },
];
