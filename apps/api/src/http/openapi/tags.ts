import type { OperationId } from '../operation-id.ts';

/** Readers of a document: `api` is published; operators have a token and paths of their own. */
export type Audience = 'api' | 'operators';

type Tags = Readonly<Record<string, readonly [operations: string, description: string]>>;

/** The tags in the order in which they are documented, each with the beginnings of the ids of its operations. */
export const TAGS: Readonly<Record<Audience, Tags>> = {
  api: {
    Accounts: ['auth', 'Sign up, log in, sessions of browsers, and API tokens.'],
    Personas: ['personas', 'Personas, the pictures in their slots, what they like, and their files.'],
    Uploads: ['uploads', 'Files that go straight to the storage by signed URLs.'],
    Files: ['files workspace', 'Who can read the files of the workspace, and URLs of files.'],
    Generation: ['generations models results presets', 'Models, and the generations that they run.'],
    Batches: ['batches', 'Many generations that are accepted at once.'],
    Credits: ['credits customers', 'Credits of the workspace in a month, and their use.'],
    Webhooks: [
      'webhooks webhookEndpoints providers',
      'Endpoints that get events, calls of a URL when a generation has ended, and the secrets that sign them.',
    ],
    Events: ['events', 'What happened in the workspace: a list, and a stream.'],
    Inbox: ['inbox', 'What members hear of: mentions, comments, decisions, and what has ended.'],
    Team: ['team', 'The team of the caller: its members, invitations, roles and usage.'],
    Boards: ['boards', 'Boards with folders and media.'],
    Review: [
      'boards.follow boards.media.comments boards.media.decisions',
      'Comments on media items, and decisions about them.',
    ],
    Sharing: ['shares', 'Links with which people without an account see media items.'],
    Shared: ['shared', 'What the guests of a link see, and what they say of it. No token is needed.'],
    Library: [
      'library provenance tags searches',
      'Search, tags, ratings, provenance and deletion of all pictures, videos and models.',
    ],
    Downloads: ['downloads', 'Zips of many files.'],
    Trash: ['trash', 'Deleted items that can be restored.'],
    'Audit log': ['audit', 'Who did what in the workspace.'],
    Health: ['health', 'Whether the service works.'],
  },
  operators: {
    Operators: [
      'operators',
      'For operators: with `ADMIN_TOKEN` or a machine token as the token, or by the session of an operator.',
    ],
  },
};

const BY_BEGINNING = new Map(
  Object.entries({ ...TAGS.api, ...TAGS.operators }).flatMap(([tag, [operations]]) =>
    operations.split(' ').map((beginning) => [beginning, tag]),
  ),
);

/** The tag of an operation: that with the longest beginning of its id. */
export function tagOf(id: OperationId): string {
  for (let beginning: string = id; beginning; beginning = beginning.replace(/\.?\w+$/, '')) {
    const tag = BY_BEGINNING.get(beginning);
    if (tag) return tag;
  }
  throw new Error(`${id} has no tag`);
}
