import { Migration } from '@mikro-orm/migrations';

const TABLES = [
  `create table workspaces (
    id bigint generated always as identity primary key,
    kind text not null check (kind in ('personal', 'team')),
    plan text not null,
    created_at timestamptz not null,
    members_count integer not null default 0,
    erasure_requested_at timestamptz
  )`,
  `create table discarded_objects (
    key text primary key,
    due_at timestamptz not null,
    kept_until timestamptz,
    file jsonb,
    workspace_id bigint
  )`,
  `create table credit_months (
    workspace_id bigint not null references workspaces on delete cascade,
    month date not null,
    used integer not null check (used >= 0),
    granted integer not null default 0,
    primary key (workspace_id, month)
  )`,
  `create table jobs (
    id bigint generated always as identity primary key,
    name text not null,
    payload jsonb not null,
    attempts integer not null default 0,
    failures integer not null default 0,
    crashes integer not null default 0,
    deliveries integer not null default 0,
    due_at timestamptz not null,
    relayed_at timestamptz,
    started_at timestamptz,
    last_error text,
    created_at timestamptz not null,
    bulk boolean not null default false,
    workspace_id bigint,
    queue text not null default 'housekeeping',
    turn bigint,
    ticket text,
    batch_id bigint
  )`,
  `create table idempotency_keys (
    caller text not null,
    key_hash bytea not null,
    request_hash bytea not null,
    status smallint not null,
    answer bytea not null,
    created_at timestamptz not null,
    primary key (caller, key_hash)
  )`,
  // Unlogged: losing the counts in a crash is harmless, and counting costs no flush to disk.
  `create unlogged table rate_limits (
    key varchar(255) primary key,
    points integer not null default 0,
    expire bigint
  )`,
  `create table reconciliation (
    only_row boolean default true primary key check (only_row),
    night date not null,
    object_key text,
    file_id bigint,
    compared_at timestamptz,
    result jsonb
  )`,
  `create table job_queues (
    queue text not null,
    bulk boolean not null,
    turn bigint not null default 0,
    primary key (queue, bulk)
  )`,
  `create table webhook_secrets (
    workspace_id bigint primary key references workspaces on delete cascade,
    secret text not null,
    previous text,
    rotated_at timestamptz
  )`,
  `create table storage_use (
    workspace_id bigint primary key references workspaces on delete cascade,
    bytes bigint not null default 0
  ) with (fillfactor = 50)`,
  // Without a foreign key: a generation may end after its token.
  `create table token_budgets (
    token_id bigint not null,
    month date not null,
    monthly_credits integer not null,
    used bigint not null,
    primary key (token_id, month),
    constraint token_budgets_used_check check (used <= monthly_credits)
  ) with (fillfactor = 50)`,
  // Without foreign keys: entries outlive what they name.
  `create table audit_log (
    id bigint generated always as identity primary key,
    workspace_id bigint,
    at timestamptz not null,
    actor text not null check (actor in ('user', 'operator', 'system')),
    user_id bigint,
    via text check (via in ('token', 'session', 'cli')),
    action text not null,
    target_type text not null,
    target_id bigint not null,
    target_name text,
    details jsonb not null,
    address text,
    request_id text,
    constraint audit_log_user check ((actor = 'user') = (user_id is not null))
  )`,
  `create table catalogue (
    is_only boolean default true primary key check (is_only),
    version bigint not null default 0
  )`,
  `create table catalogue_providers (
    id bigint generated always as identity primary key,
    name text not null,
    revision integer not null,
    type text not null,
    base_url text,
    key text,
    key_end text,
    max_concurrent integer not null,
    submissions_per_minute integer,
    changed_at timestamptz not null,
    base_urls text[],
    constraint catalogue_providers_name unique (name)
  )`,
  `create table catalogue_models (
    id bigint generated always as identity primary key,
    name text not null,
    revision integer not null,
    entry jsonb not null,
    is_offered boolean not null,
    added_at timestamptz not null,
    replaced_at timestamptz,
    constraint catalogue_models_revision unique (name, revision)
  )`,
  `create table trials (
    id bigint generated always as identity primary key,
    model text not null,
    model_revision integer,
    entry jsonb,
    prompt text,
    parameters jsonb not null,
    inputs jsonb not null,
    request_key uuid not null,
    credits integer not null,
    state text not null check (state in ('queued', 'sent', 'submitted', 'succeeded', 'failed')),
    handle jsonb,
    outputs jsonb,
    vendor_cost double precision,
    error jsonb,
    created_at timestamptz not null,
    started_at timestamptz,
    finished_at timestamptz,
    constraint trials_start
      check (case state when 'queued' then started_at is null when 'failed' then true else started_at is not null end),
    constraint trials_handle check ((state = 'submitted') = (handle is not null)),
    constraint trials_outputs check ((state = 'succeeded') = (outputs is not null)),
    constraint trials_error check ((state = 'failed') = (error is not null)),
    constraint trials_end check ((state in ('succeeded', 'failed')) = (finished_at is not null))
  )`,
  `create table paused_providers (
    provider text primary key,
    since timestamptz not null
  )`,
  `create table library_tags (
    workspace_id bigint not null references workspaces on delete cascade,
    tag text collate "C" not null,
    primary key (workspace_id, tag)
  )`,
  `create table library_words (
    workspace_id bigint not null,
    word text collate "C" not null,
    primary key (workspace_id, word)
  )`,
  `create table library_filling (
    only_row boolean default true primary key check (only_row),
    passes_left smallint not null,
    starts_at timestamptz not null,
    before_id bigint not null
  )`,
  `create table downloads (
    id bigint generated always as identity primary key,
    hash bytea not null unique,
    workspace_id bigint not null references workspaces on delete cascade,
    user_id bigint not null,
    token_id bigint not null,
    selection jsonb not null,
    expires_at timestamptz not null,
    runs_until timestamptz
  )`,
  `create table board_looks (
    board_id bigint not null,
    user_id bigint not null,
    process text not null,
    confirmed_at timestamptz not null,
    primary key (board_id, user_id, process)
  )`,
  `create table users (
    id bigint generated always as identity primary key,
    email text unique check (email = lower(email)),
    name text,
    password_hash text,
    created_at timestamptz not null,
    confirmed_at timestamptz,
    avatar_file_id bigint,
    email_verified_at timestamptz,
    is_operator boolean not null default false,
    operator_by_claim boolean not null default false,
    erasure_requested_at timestamptz,
    erased_at timestamptz,
    review_mails boolean not null default true,
    constraint users_erased check ((email is null) = (erasure_requested_at is not null))
  )`,
  // `is_team` repeats `workspaces.kind`, so that an index can allow one team a user.
  `create table memberships (
    workspace_id bigint not null references workspaces on delete cascade,
    user_id bigint not null references users on delete cascade,
    is_team boolean not null,
    role text not null check (role in ('owner', 'admin', 'member')),
    added_by bigint references users on delete set null,
    joined_at timestamptz not null,
    primary key (workspace_id, user_id)
  )`,
  `create table api_tokens (
    id bigint generated always as identity primary key,
    user_id bigint not null references users on delete cascade,
    name text not null,
    hash bytea not null unique,
    created_at timestamptz not null,
    last_used_at timestamptz,
    expires_at timestamptz,
    kind text not null default 'api' check (kind in ('api', 'log_in', 'session')),
    parent_id bigint references api_tokens on delete cascade,
    address text,
    user_agent text,
    scopes text[],
    monthly_credits integer
  )`,
  `create table credit_usage (
    workspace_id bigint not null references workspaces on delete cascade,
    month date not null,
    user_id bigint not null references users,
    used integer not null,
    generations integer not null,
    primary key (workspace_id, month, user_id)
  )`,
  `create table invitations (
    id bigint generated always as identity primary key,
    workspace_id bigint not null references workspaces on delete cascade,
    email text not null check (email = lower(email)),
    role text not null check (role in ('admin', 'member')),
    invited_by bigint not null references users,
    token_hashes bytea[] not null default '{}',
    state text not null default 'pending' check (state in ('pending', 'accepted', 'declined', 'revoked')),
    delivery text not null default 'waiting' check (delivery in ('waiting', 'sent', 'refused')),
    created_at timestamptz not null,
    expires_at timestamptz not null,
    ended_at timestamptz,
    user_id bigint references users on delete cascade,
    check ((state = 'pending') = (ended_at is null)),
    constraint invitations_check1 check ((state = 'pending') or (token_hashes = '{}'))
  )`,
  `create table trash (
    id bigint generated always as identity primary key,
    workspace_id bigint not null references workspaces on delete cascade,
    kind text not null check (kind in ('board', 'folder', 'media', 'item', 'persona')),
    item_id bigint not null,
    board_id bigint,
    name text,
    deleted_by bigint not null references users,
    deleted_at timestamptz not null,
    expires_at timestamptz not null
  )`,
  `create table personas (
    id bigint generated always as identity primary key,
    workspace_id bigint not null references workspaces on delete cascade,
    created_by bigint not null references users,
    name text not null,
    title text,
    knows text,
    profession text,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    deleted_at timestamptz,
    deletion_id bigint references trash
  )`,
  `create table files (
    id bigint generated always as identity primary key,
    workspace_id bigint not null references workspaces on delete cascade,
    persona_id bigint references personas on delete set null,
    origin text not null check (origin in ('upload', 'import', 'output')),
    key text not null unique,
    filename text not null,
    size bigint not null,
    content_type text not null,
    created_at timestamptz not null,
    expires_at timestamptz,
    review_at timestamptz,
    deletion_id bigint references trash,
    removed_at timestamptz,
    removal_id bigint references trash,
    constraint files_removed_by_entry check ((removal_id is null) or (removed_at is not null))
  )`,
  `create table uploads (
    id bigint generated always as identity primary key,
    workspace_id bigint not null references workspaces on delete cascade,
    user_id bigint not null references users,
    persona_id bigint not null references personas on delete cascade,
    token text not null unique,
    filename text not null,
    state text not null check (state in ('allocated', 'frozen', 'finalized', 'expired')),
    frozen_key text,
    frozen_size bigint,
    file_id bigint references files on delete set null,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    clean_up_at timestamptz,
    parts_id text,
    parts_count integer check ((parts_count >= 1) and (parts_count <= 10000)),
    check ((state = 'frozen') = ((frozen_key is not null) and (frozen_size is not null))),
    constraint uploads_parts check ((parts_id is null) = (parts_count is null))
  )`,
  `create table trainings (
    id bigint generated always as identity primary key,
    workspace_id bigint not null references workspaces on delete cascade,
    persona_id bigint not null references personas on delete cascade,
    slot smallint check ((slot >= 1) and (slot <= 7)),
    source_url text not null,
    file_id bigint references files,
    state text not null check (state in ('created', 'processed', 'failed')),
    error text,
    extras text,
    info text,
    created_at timestamptz not null,
    picture_version integer not null,
    check ((state = 'processed') = (file_id is not null)),
    constraint trainings_check1 check ((state = 'failed') = (error is not null))
  )`,
  `create table boards (
    id bigint generated always as identity primary key,
    workspace_id bigint not null references workspaces on delete cascade,
    created_by bigint not null references users,
    name text not null,
    folders_count integer not null default 0 check (folders_count >= 0),
    media_count integer not null default 0 check (media_count >= 0),
    version bigint not null default 1,
    created_at timestamptz not null,
    deleted_at timestamptz,
    deletion_id bigint references trash
  )`,
  // References to a folder name its board too, so that the two cannot be of different boards.
  `create table folders (
    id bigint generated always as identity primary key,
    board_id bigint not null references boards,
    parent_id bigint,
    name text not null,
    created_at timestamptz not null,
    deletion_id bigint references trash,
    unique (board_id, id),
    constraint folders_board_id_parent_id_fkey foreign key (board_id, parent_id) references folders (board_id, id)
  )`,
  `create table media (
    id bigint generated always as identity primary key,
    board_id bigint not null references boards,
    folder_id bigint,
    created_by bigint not null references users,
    source_url text,
    source_control_image text,
    file_key text,
    control_image_key text,
    extras text,
    state text not null check (state in ('created', 'processed', 'failed')),
    error text,
    width integer,
    height integer,
    duration real,
    content_type text,
    placeholder text,
    thumbnails jsonb not null default '[]',
    revision integer not null default 1,
    created_at timestamptz not null,
    deletion_id bigint references trash,
    constraint media_board_id_folder_id_fkey foreign key (board_id, folder_id) references folders (board_id, id)
  )`,
  `create table media_files (
    media_id bigint not null references media on delete cascade,
    file_id bigint not null references files,
    primary key (media_id, file_id)
  )`,
  `create table trash_rows (
    id bigint generated always as identity primary key,
    trash_id bigint not null references trash on delete cascade,
    relation text not null
      check (relation in ('boards', 'folders', 'media', 'personas', 'trainings', 'files', 'generations')),
    content jsonb not null,
    file_ids bigint[] not null default '{}'
  )`,
  `create table sign_in_links (
    id bigint generated always as identity primary key,
    user_id bigint not null references users on delete cascade,
    hash bytea not null,
    is_local boolean not null,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    used_at timestamptz,
    constraint sign_in_links_hash unique (hash)
  )`,
  `create table account_confirmations (
    id bigint generated always as identity primary key,
    user_id bigint not null references users on delete cascade,
    purpose text not null check (purpose in ('password_reset', 'email')),
    email text not null,
    token_hashes bytea[] not null default '{}',
    created_at timestamptz not null,
    expires_at timestamptz not null,
    constraint account_confirmations_one_of_each_purpose unique (user_id, purpose)
  )`,
  `create table two_factors (
    user_id bigint primary key references users on delete cascade,
    secret text not null,
    created_at timestamptz not null,
    confirmed_at timestamptz,
    last_step bigint not null default 0,
    failures integer not null default 0,
    failed_at timestamptz
  )`,
  `create table recovery_codes (
    user_id bigint not null references two_factors on delete cascade,
    hash bytea not null,
    primary key (user_id, hash)
  )`,
  `create table log_in_challenges (
    id bigint generated always as identity primary key,
    user_id bigint not null references users on delete cascade,
    hash bytea not null,
    tries integer not null default 0,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    constraint log_in_challenges_hash unique (hash)
  )`,
  `create table identities (
    id bigint generated always as identity primary key,
    user_id bigint not null references users on delete cascade,
    issuer text not null,
    subject text not null,
    email text,
    created_at timestamptz not null,
    constraint identities_one_user unique (issuer, subject)
  )`,
  `create table exports (
    id bigint generated always as identity primary key,
    user_id bigint not null references users,
    state text not null check (state in ('queued', 'running', 'ready', 'expired', 'failed')),
    attempt integer,
    key text,
    size bigint,
    created_at timestamptz not null,
    expires_at timestamptz,
    ended_at timestamptz,
    constraint exports_run check ((state = 'running') = (attempt is not null)),
    constraint exports_zip check ((state in ('running', 'ready')) = (key is not null)),
    constraint exports_ready check ((state = 'ready') = ((size is not null) and (expires_at is not null))),
    constraint exports_end check ((state in ('expired', 'failed')) = (ended_at is not null))
  )`,
  `create table styles (
    id bigint generated always as identity primary key,
    workspace_id bigint not null references workspaces,
    persona_id bigint not null references personas on delete cascade,
    name text not null,
    model text not null,
    family text,
    trigger text not null,
    slots text not null,
    is_active boolean not null default false,
    file_id bigint references files on delete set null,
    created_at timestamptz not null,
    deleted_at timestamptz
  )`,
  `create table style_pictures (
    style_id bigint not null references styles on delete cascade,
    position smallint not null,
    training_id bigint not null,
    url text,
    key text,
    file_id bigint references files on delete set null,
    primary key (style_id, position)
  )`,
  // A preset outlives its persona.
  `create table presets (
    id bigint generated always as identity primary key,
    workspace_id bigint not null references workspaces on delete cascade,
    created_by bigint not null references users,
    name text not null,
    model text not null,
    prompt text,
    parameters jsonb not null,
    persona_id bigint,
    style_transfer text,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    constraint presets_name_is_unique unique (workspace_id, name)
  )`,
  `create table batches (
    id bigint generated always as identity primary key,
    workspace_id bigint not null references workspaces on delete cascade,
    user_id bigint not null references users,
    name text not null,
    state text not null check (state in ('running', 'paused', 'canceling', 'ended')),
    webhook text,
    matrix jsonb,
    total integer not null check (total > 0),
    cost integer not null,
    created_at timestamptz not null,
    ended_at timestamptz,
    constraint batches_end check ((state = 'ended') = (ended_at is not null))
  )`,
  `create table generations (
    id bigint generated always as identity primary key,
    workspace_id bigint not null references workspaces on delete cascade,
    user_id bigint not null references users,
    persona_id bigint references personas on delete set null,
    model text not null,
    kind text not null check (kind in ('image', 'video', 'vector', 'model3d', 'mask', 'style')),
    state text not null check (state in ('queued', 'running', 'succeeded', 'failed', 'canceled')),
    prompt text,
    parameters jsonb not null,
    image_url text,
    image_file_id bigint references files on delete set null,
    style_url text,
    style_file_id bigint references files on delete set null,
    cost integer not null check (cost >= 0),
    progress double precision not null default 0,
    error_code text,
    error text,
    attempt integer not null default 0,
    created_at timestamptz not null,
    started_at timestamptz,
    finished_at timestamptz,
    image_key text,
    style_key text,
    webhook text,
    model_revision integer,
    style_id bigint references styles on delete set null,
    parent_id bigint references generations on delete set null,
    parent_output smallint,
    batch_id bigint references batches,
    cell integer,
    outputs_deleted boolean not null default false,
    constraint generations_parent_is_older check ((parent_id < id) and (parent_output >= 0))
  )`,
  `create table generation_outputs (
    generation_id bigint not null references generations on delete cascade,
    position smallint not null,
    file_id bigint not null references files on delete cascade,
    content_type text not null,
    width integer,
    height integer,
    duration double precision,
    label text,
    score double precision,
    primary key (generation_id, position)
  )`,
  `create table credit_entries (
    id bigint generated always as identity primary key,
    key text not null unique,
    workspace_id bigint not null references workspaces on delete cascade,
    user_id bigint references users,
    generation_id bigint references generations,
    month date not null,
    kind text not null check (kind in ('reserve', 'settle', 'release', 'grant')),
    amount integer not null,
    reason text,
    created_at timestamptz not null,
    token_ids bigint[]
  )`,
  `create table generation_inputs (
    generation_id bigint not null references generations on delete cascade,
    input text not null check (input in ('references', 'mask', 'control', 'pictures', 'style_weights')),
    position smallint not null,
    url text,
    key text,
    file_id bigint references files on delete set null,
    primary key (generation_id, input, position)
  )`,
  `create table submissions (
    generation_id bigint primary key references generations on delete cascade,
    provider text not null,
    request_key uuid not null unique,
    attempt integer not null,
    state text not null check (state in ('intended', 'unknown', 'submitted', 'ended', 'canceling', 'closed')),
    handle jsonb,
    outputs jsonb,
    failure jsonb,
    number integer not null default 1,
    intended_at timestamptz not null,
    give_up_at timestamptz not null,
    submitted_at timestamptz,
    next_check_at timestamptz,
    checks integer not null default 0,
    vendor_cost double precision,
    traceparent text,
    pictures jsonb,
    doubtful_since timestamptz,
    refusal text check (refusal in ('provider_busy', 'provider_unavailable'))
  )`,
  `create table generation_thumbnails (
    generation_id bigint not null,
    position smallint not null,
    file_id bigint not null references files on delete cascade,
    width integer not null,
    height integer not null,
    primary key (generation_id, position, file_id),
    constraint generation_thumbnails_generation_id_position_fkey
      foreign key (generation_id, position)
      references generation_outputs (generation_id, position) on delete cascade
  )`,
  `create table webhook_deliveries (
    id bigint generated always as identity primary key,
    workspace_id bigint not null references workspaces on delete cascade,
    generation_id bigint references generations on delete cascade,
    url text not null,
    message_id text not null,
    state text not null check (state in ('pending', 'delivered', 'failed')),
    revision integer not null default 1,
    tries integer not null default 0,
    attempts jsonb not null default '[]',
    next_attempt_at timestamptz,
    created_at timestamptz not null,
    batch_id bigint references batches on delete cascade,
    check ((state = 'pending') = (next_attempt_at is not null)),
    constraint webhook_deliveries_about check ((generation_id is null) <> (batch_id is null))
  )`,
  `create table library_items (
    file_id bigint primary key references files on delete cascade,
    workspace_id bigint not null,
    kind text not null check (kind in ('image', 'video', 'vector', 'model3d', 'mask')),
    origin text not null check (origin in ('upload', 'import', 'output')),
    persona_id bigint,
    user_id bigint,
    generation_id bigint,
    model text,
    width integer,
    height integer,
    placeholder text,
    rating smallint not null default 0 check ((rating >= 0) and (rating <= 5)),
    tags text[] not null default '{}' check (cardinality(tags) <= 32),
    colors smallint[],
    shape bit(64),
    words tsvector not null,
    look_due_at timestamptz,
    created_at timestamptz not null,
    deletion_id bigint
  ) with (fillfactor = 90)`,
  `create table saved_searches (
    id bigint generated always as identity primary key,
    workspace_id bigint not null references workspaces on delete cascade,
    created_by bigint not null references users,
    name text not null,
    filter jsonb not null,
    created_at timestamptz not null,
    updated_at timestamptz not null
  )`,
  `create table media_reviews (
    media_id bigint primary key references media on delete cascade,
    decision text not null default 'none' check (decision in ('approved', 'changes_requested', 'none')),
    comments_count integer not null default 0
  )`,
  `create table shares (
    id bigint generated always as identity primary key,
    workspace_id bigint not null references workspaces on delete cascade,
    created_by bigint not null references users,
    hash bytea not null unique,
    name text not null,
    board_id bigint references boards on delete cascade,
    folder_id bigint references folders on delete cascade,
    allow text[] not null,
    password_hash text,
    password_version integer not null default 1,
    watermark text,
    expires_at timestamptz,
    created_at timestamptz not null,
    opened_count integer not null default 0,
    last_opened_at timestamptz,
    constraint shares_folder check ((folder_id is null) or (board_id is not null))
  )`,
  `create table share_media (
    share_id bigint not null references shares on delete cascade,
    media_id bigint not null references media on delete cascade,
    primary key (share_id, media_id)
  )`,
  `create table share_guests (
    id bigint generated always as identity primary key,
    share_id bigint not null references shares on delete cascade,
    hash bytea not null unique,
    name text,
    password_version integer not null,
    opened_count integer not null default 0,
    last_opened_at timestamptz not null
  )`,
  `create table comments (
    id bigint generated always as identity primary key,
    media_id bigint not null references media on delete cascade,
    parent_id bigint references comments on delete cascade,
    created_by bigint references users,
    text text not null,
    x double precision check ((x >= 0) and (x <= 1)),
    y double precision check ((y >= 0) and (y <= 1)),
    seconds double precision check (seconds >= 0),
    mentions bigint[] not null default '{}',
    created_at timestamptz not null,
    edited_at timestamptz,
    resolved_at timestamptz,
    resolved_by bigint references users,
    guest_id bigint references share_guests on delete set null,
    guest_name text,
    constraint comments_one_pin check (((x is null) = (y is null)) and ((x is null) or (seconds is null))),
    constraint comments_resolved check ((resolved_at is null) = (resolved_by is null)),
    constraint comments_author check ((created_by is null) = (guest_name is not null))
  )`,
  `create table decisions (
    id bigint generated always as identity primary key,
    media_id bigint not null references media on delete cascade,
    user_id bigint references users,
    verdict text not null check (verdict in ('approved', 'changes_requested', 'none')),
    text text,
    created_at timestamptz not null,
    guest_id bigint references share_guests on delete set null,
    guest_name text,
    constraint decisions_author check ((user_id is null) = (guest_name is not null))
  )`,
  `create table share_pictures (
    share_id bigint not null references shares on delete cascade,
    media_id bigint not null references media on delete cascade,
    state text not null default 'waiting' check (state in ('waiting', 'made')),
    whole jsonb,
    thumbnails jsonb not null default '[]',
    primary key (share_id, media_id)
  )`,
  `create table share_picture_files (
    file_id bigint primary key references files on delete cascade,
    share_id bigint not null,
    media_id bigint not null,
    constraint share_picture_files_share_id_media_id_fkey
      foreign key (share_id, media_id) references share_pictures (share_id, media_id) on delete cascade
  )`,
  `create table review_notices (
    id bigint generated always as identity primary key,
    board_id bigint not null references boards on delete cascade,
    user_id bigint not null references users,
    comment_id bigint references comments on delete cascade,
    decision_id bigint references decisions on delete cascade,
    is_told boolean not null default false,
    constraint review_notices_of_one check ((comment_id is null) <> (decision_id is null))
  )`,
  `create table review_mails (
    board_id bigint not null references boards on delete cascade,
    user_id bigint not null references users,
    sent_at timestamptz,
    is_announced boolean not null,
    primary key (board_id, user_id)
  )`,
  'alter table users add foreign key (avatar_file_id) references files on delete set null',
];

const INDEXES = [
  'create index users_avatar_file on users (avatar_file_id) where avatar_file_id is not null',
  'create index memberships_added_by on memberships (added_by) where added_by is not null',
  'create unique index memberships_one_of_each_kind on memberships (user_id, is_team)',
  `create unique index memberships_one_owner on memberships (workspace_id) where role = 'owner'`,
  'create index api_tokens_expiry on api_tokens (expires_at) where expires_at is not null',
  'create index api_tokens_parent on api_tokens (parent_id) where parent_id is not null',
  'create index api_tokens_user on api_tokens (user_id, id)',
  'create index personas_deletion on personas (deletion_id) where deletion_id is not null',
  'create index personas_existing on personas (workspace_id, id) where deletion_id is null',
  'create index personas_existing_of_creator on personas (created_by, workspace_id, id) where deletion_id is null',
  'create index files_deletion on files (deletion_id) where deletion_id is not null',
  'create index files_due on files (expires_at, id) where expires_at is not null',
  'create index files_persona on files (persona_id, id) where persona_id is not null',
  'create index files_removal on files (removal_id) where removal_id is not null',
  'create index files_review on files (review_at, id) where review_at is not null',
  'create index files_workspace on files (workspace_id, id)',
  'create index discarded_objects_due on discarded_objects (due_at)',
  'create index discarded_objects_workspace on discarded_objects (workspace_id) where workspace_id is not null',
  'create index uploads_due on uploads (clean_up_at, id) where clean_up_at is not null',
  'create index uploads_file on uploads (file_id) where file_id is not null',
  'create index uploads_persona on uploads (persona_id)',
  'create index uploads_user on uploads (user_id)',
  'create index uploads_workspace on uploads (workspace_id)',
  'create index trainings_file on trainings (file_id) where file_id is not null',
  'create index trainings_likes on trainings (persona_id, id) where slot is null',
  'create unique index trainings_one_per_slot on trainings (persona_id, slot) where slot is not null',
  'create index trainings_persona on trainings (persona_id, id)',
  'create index trainings_workspace on trainings (workspace_id)',
  'create index generations_by_time on generations (workspace_id, created_at)',
  'create unique index generations_cell on generations (batch_id, cell) where cell is not null',
  'create index generations_cell_state on generations (batch_id, state, cell) where cell is not null',
  'create index generations_image_file on generations (image_file_id) where image_file_id is not null',
  'create index generations_newest_of_persona on generations (persona_id, id) where persona_id is not null',
  'create index generations_of_batch on generations (batch_id, id) where batch_id is not null',
  'create index generations_of_model on generations (workspace_id, model, id)',
  'create index generations_of_state on generations (workspace_id, state, id)',
  `create index generations_open on generations (id) where state in ('queued', 'running')`,
  'create index generations_parent on generations (parent_id, id) where parent_id is not null',
  'create index generations_style on generations (style_id) where style_id is not null',
  'create index generations_style_file on generations (style_file_id) where style_file_id is not null',
  `create unique index generations_training on generations (style_id) where kind = 'style'`,
  'create index generations_user on generations (user_id)',
  'create index generations_workspace on generations (workspace_id, id)',
  'create index generation_outputs_file on generation_outputs (file_id)',
  'create index credit_entries_generation on credit_entries (generation_id) where generation_id is not null',
  'create index credit_entries_month on credit_entries (workspace_id, month, id)',
  'create index credit_entries_user on credit_entries (user_id) where user_id is not null',
  'create index credit_usage_user on credit_usage (user_id)',
  'create index jobs_batch on jobs (batch_id) where batch_id is not null',
  'create index jobs_relayed on jobs (relayed_at, id) where relayed_at is not null',
  'create index jobs_running on jobs (queue, workspace_id) where started_at is not null',
  'create index jobs_turns on jobs (queue, workspace_id, bulk, turn)',
  'create index jobs_unrelayed on jobs (due_at, id) where relayed_at is null',
  'create index jobs_waiting on jobs (queue, bulk, turn, id) where started_at is null',
  'create index idempotency_keys_age on idempotency_keys (created_at)',
  'create index rate_limits_expire on rate_limits (expire)',
  'create index boards_creator on boards (created_by)',
  'create index boards_deletion on boards (deletion_id) where deletion_id is not null',
  'create index boards_existing on boards (workspace_id, id) where deletion_id is null',
  'create index folders_deletion on folders (deletion_id) where deletion_id is not null',
  'create index folders_parent on folders (board_id, parent_id, id)',
  'create index media_board on media (board_id, id desc)',
  'create index media_creator on media (created_by)',
  'create index media_deletion on media (deletion_id) where deletion_id is not null',
  'create index media_folder on media (board_id, folder_id, id desc)',
  'create index media_files_file on media_files (file_id)',
  'create index invitations_inviter on invitations (invited_by)',
  `create unique index invitations_one_pending on invitations (workspace_id, email) where state = 'pending'`,
  'create index invitations_over on invitations (coalesce(ended_at, expires_at))',
  `create index invitations_tokens on invitations using gin (token_hashes) where state = 'pending'`,
  'create index invitations_user on invitations (user_id) where user_id is not null',
  'create index invitations_workspace on invitations (workspace_id, id)',
  'create index generation_inputs_file on generation_inputs (file_id) where file_id is not null',
  `create index submissions_due on submissions (provider, next_check_at) where state = 'submitted'`,
  `create unique index submissions_handle on submissions (provider, (handle ->> 'id'))`,
  'create index generation_thumbnails_file on generation_thumbnails (file_id)',
  'create index webhook_deliveries_age on webhook_deliveries (created_at)',
  'create index webhook_deliveries_batch on webhook_deliveries (batch_id) where batch_id is not null',
  'create index webhook_deliveries_generation on webhook_deliveries (generation_id)',
  'create index webhook_deliveries_workspace on webhook_deliveries (workspace_id, id)',
  'create index trash_deleted_by on trash (deleted_by)',
  'create index trash_due on trash (expires_at)',
  'create index trash_item on trash (item_id, kind)',
  'create index trash_workspace on trash (workspace_id, id)',
  'create index trash_rows_entry on trash_rows (trash_id, relation)',
  'create index trash_rows_files on trash_rows using gin (file_ids)',
  'create index sign_in_links_user on sign_in_links (user_id)',
  'create index account_confirmations_tokens on account_confirmations using gin (token_hashes)',
  'create index log_in_challenges_user on log_in_challenges (user_id)',
  'create index identities_user on identities (user_id)',
  'create index audit_log_action on audit_log (workspace_id, action, at, id)',
  'create index audit_log_age on audit_log (at)',
  'create index audit_log_others on audit_log (workspace_id, actor, at, id) where user_id is null',
  'create index audit_log_target on audit_log (workspace_id, target_type, target_id, at, id)',
  'create index audit_log_time on audit_log (workspace_id, at, id)',
  'create index audit_log_user on audit_log (user_id, workspace_id, at, id) where user_id is not null',
  'create index exports_end on exports (ended_at) where ended_at is not null',
  `create index exports_expiry on exports (expires_at) where state = 'ready'`,
  'create unique index exports_key on exports (key) where key is not null',
  `create unique index exports_one_under_way on exports (user_id) where state in ('queued', 'running')`,
  'create index exports_user on exports (user_id, id)',
  'create unique index catalogue_models_current on catalogue_models (name) where replaced_at is null',
  'create unique index styles_active on styles (persona_id) where is_active',
  'create index styles_file on styles (file_id) where file_id is not null',
  'create index styles_persona on styles (persona_id, id)',
  'create index style_pictures_file on style_pictures (file_id) where file_id is not null',
  'create index trials_created on trials (created_at)',
  'create unique index trials_one_open on trials (model) where finished_at is null',
  'create index presets_newest on presets (workspace_id, id)',
  'create index batches_workspace on batches (workspace_id, id)',
  'create index library_items_look on library_items (look_due_at desc) where look_due_at is not null',
  `create index library_items_newest
    on library_items (workspace_id, created_at desc, file_id desc) include (colors, shape, deletion_id)`,
  'create index library_items_rating on library_items (workspace_id, rating desc, created_at desc, file_id desc)',
  'create index library_items_words on library_items using gin (words) with (fastupdate = off)',
  'create index library_words_similar on library_words using gin (word gin_trgm_ops)',
  'create unique index saved_searches_name on saved_searches (workspace_id, name)',
  'create index comments_guest on comments (guest_id) where guest_id is not null',
  'create index comments_of_media on comments (media_id, id)',
  'create index comments_of_thread on comments (parent_id) where parent_id is not null',
  'create index decisions_guest on decisions (guest_id) where guest_id is not null',
  'create index decisions_of_media on decisions (media_id, id)',
  'create index downloads_user on downloads (user_id)',
  'create index downloads_workspace on downloads (workspace_id)',
  'create index shares_board on shares (board_id) where board_id is not null',
  'create index shares_end on shares (expires_at) where expires_at is not null',
  'create index shares_folder_id on shares (folder_id) where folder_id is not null',
  'create index shares_workspace on shares (workspace_id, id)',
  'create index share_media_media on share_media (media_id)',
  'create index share_guests_share on share_guests (share_id, last_opened_at)',
  'create index share_pictures_media on share_pictures (media_id)',
  'create index share_picture_files_picture on share_picture_files (share_id, media_id)',
  'create unique index review_notices_of_comment on review_notices (comment_id, user_id)',
  'create unique index review_notices_of_decision on review_notices (decision_id, user_id)',
  'create index review_notices_of_user on review_notices (user_id)',
  'create index review_notices_to_tell on review_notices (board_id, user_id) where not is_told',
  'create index review_mails_of_user on review_mails (user_id)',
];

const ROWS = [
  `insert into reconciliation (night) values ('-infinity')`,
  'insert into catalogue default values',
  'insert into library_filling (passes_left, starts_at, before_id) values (2, now(), 9007199254740991)',
  `insert into job_queues (queue, bulk)
    select queue, bulk
    from unnest(array['generations', 'pictures', 'mail', 'housekeeping', 'outputs', 'webhooks', 'exports']) queue,
      unnest(array[false, true]) bulk`,
];

const FUNCTIONS = [
  `create function count_members() returns trigger language plpgsql as $$
  begin
    update workspaces set members_count = members_count + change.by
    from (
      select workspace_id, case tg_op when 'INSERT' then count(*) else -count(*) end as by
      from changed group by workspace_id order by workspace_id
    ) change
    where change.workspace_id = workspaces.id;
    return null;
  end
  $$`,
  // An index allows one owner at most; this requires one when a transaction ends.
  `create function require_owner() returns trigger language plpgsql as $$
  declare
    team bigint;
  begin
    if tg_table_name = 'workspaces' then team := new.id; else team := old.workspace_id; end if;
    if exists (select from workspaces where id = team)
       and not exists (select from memberships where workspace_id = team and role = 'owner') then
      raise exception 'workspace % has no owner', team
        using errcode = 'check_violation', constraint = 'workspaces_an_owner';
    end if;
    return null;
  end
  $$`,
  `create function start_storage_use() returns trigger language plpgsql as $$
  begin
    insert into storage_use (workspace_id) select id from added on conflict do nothing;
    return null;
  end
  $$`,
  // Rows are locked in one order, so that statements about several workspaces cannot deadlock. The trash does not count.
  `create function count_storage_use() returns trigger language plpgsql as $$
  begin
    perform from storage_use where workspace_id in (select workspace_id from changed)
      order by workspace_id for no key update;
    update storage_use set bytes = bytes + change.by
    from (
      select workspace_id, case tg_op when 'INSERT' then sum(size) else -sum(size) end as by
      from changed where deletion_id is null group by workspace_id
    ) change
    where change.workspace_id = storage_use.workspace_id;
    return null;
  end
  $$`,
  `create function recount_storage_use() returns trigger language plpgsql as $$
  begin
    perform from storage_use where workspace_id in (
        select a.workspace_id from after a join before b using (id)
        where (a.deletion_id is null) <> (b.deletion_id is null))
      order by workspace_id for no key update;
    update storage_use set bytes = bytes + change.by
    from (
      select a.workspace_id, sum(case when a.deletion_id is null then a.size else -a.size end) as by
      from after a join before b using (id)
      where (a.deletion_id is null) <> (b.deletion_id is null) group by a.workspace_id
    ) change
    where change.workspace_id = storage_use.workspace_id;
    return null;
  end
  $$`,
  `create function follow_file() returns trigger language plpgsql as $$
  begin
    update library_items set deletion_id = coalesce(new.deletion_id, new.removal_id), persona_id = new.persona_id
    where file_id = new.id;
    return null;
  end
  $$`,
  `create function release_share_picture() returns trigger language plpgsql as $$
  begin
    -- The sweep deletes the file of a picture that is gone; a picture whose file is gone is made again.
    update files set review_at = now() where id = old.file_id;
    delete from share_pictures where share_id = old.share_id and media_id = old.media_id;
    return null;
  end
  $$`,
];

const TRIGGERS = [
  `create constraint trigger workspaces_an_owner after insert on workspaces deferrable initially deferred
    for each row when (new.kind = 'team') execute function require_owner()`,
  `create trigger workspaces_storage after insert on workspaces referencing new table as added
    for each statement execute function start_storage_use()`,
  `create constraint trigger memberships_an_owner after delete or update on memberships deferrable initially deferred
    for each row when (old.role = 'owner') execute function require_owner()`,
  `create trigger memberships_joined after insert on memberships referencing new table as changed
    for each statement execute function count_members()`,
  `create trigger memberships_left after delete on memberships referencing old table as changed
    for each statement execute function count_members()`,
  `create trigger files_added after insert on files referencing new table as changed
    for each statement execute function count_storage_use()`,
  `create trigger files_changed after update on files referencing old table as before new table as after
    for each statement execute function recount_storage_use()`,
  `create trigger files_deleted after delete on files referencing old table as changed
    for each statement execute function count_storage_use()`,
  `create trigger files_followed after update of deletion_id, removal_id, persona_id on files
    for each row when (
        old.deletion_id is distinct from new.deletion_id
        or old.removal_id is distinct from new.removal_id
        or old.persona_id is distinct from new.persona_id
      ) execute function follow_file()`,
  `create trigger release_share_picture after delete on share_picture_files
    for each row execute function release_share_picture()`,
];

/**
 * The schema of 0.2, without what kept processes of 0.1 working. A database of 0.2 has run a migration of the same name,
 * its last one. `trash_rows`, `discarded_objects.file`, and `deleted_at` of boards and personas are empty; 0.2, which may
 * run beside this version, and its backups have them: to be dropped with 0.4.
 */
export class Baseline extends Migration {
  override up(): void {
    this.addSql('create extension if not exists pg_trgm');
    for (const statement of [...TABLES, ...INDEXES, ...ROWS, ...FUNCTIONS, ...TRIGGERS]) this.addSql(statement);
  }
}
