import type { EventDto } from '../../api/index.ts';

export type EventType = EventDto['type'];
export type SubjectType = EventDto['subject']['type'];

/** Names of subjects: of one, and as the title of their events. */
export const subjectWords: Readonly<Record<SubjectType, { readonly one: string; readonly title: string }>> = {
  generation: { one: 'Generation', title: 'Generations' },
  batch: { one: 'Batch', title: 'Batches' },
  style: { one: 'Style', title: 'Styles' },
  upload: { one: 'Upload', title: 'Uploads' },
  board: { one: 'Board', title: 'Boards and their items' },
  share: { one: 'Link', title: 'Shared links' },
  member: { one: 'Member', title: 'Members' },
  workspace: { one: 'Workspace', title: 'Credits' },
  model: { one: 'Model', title: 'Models' },
  provider: { one: 'Provider', title: 'Providers' },
  file: { one: 'File', title: 'Files' },
  webhook_endpoint: { one: 'Endpoint', title: 'Endpoints' },
};

interface EventWords {
  readonly of: SubjectType;
  readonly label: string;
  readonly color?: 'sea' | 'yellow' | 'red';
}

export const eventWords: Readonly<Record<EventType, EventWords>> = {
  'generation.succeeded': { of: 'generation', label: 'Generation done', color: 'sea' },
  'generation.failed': { of: 'generation', label: 'Generation failed', color: 'red' },
  'generation.canceled': { of: 'generation', label: 'Generation canceled' },
  'batch.ended': { of: 'batch', label: 'Batch ended' },
  'style.ready': { of: 'style', label: 'Style ready', color: 'sea' },
  'style.failed': { of: 'style', label: 'Style failed', color: 'red' },
  'upload.saved': { of: 'upload', label: 'Upload saved' },
  'media.processed': { of: 'board', label: 'Item ready', color: 'sea' },
  'media.failed': { of: 'board', label: 'Item failed', color: 'red' },
  'board.created': { of: 'board', label: 'Board created' },
  'board.deleted': { of: 'board', label: 'Board deleted' },
  'comment.created': { of: 'board', label: 'Comment written' },
  'comment.updated': { of: 'board', label: 'Comment changed' },
  'decision.made': { of: 'board', label: 'Decision made' },
  'share.opened': { of: 'share', label: 'Link opened' },
  'review.summary': { of: 'share', label: 'Review done' },
  'member.joined': { of: 'member', label: 'Member joined' },
  'member.left': { of: 'member', label: 'Member left' },
  'member.role_changed': { of: 'member', label: 'Role changed' },
  'credits.low': { of: 'workspace', label: 'Credits low', color: 'yellow' },
  'budget.exceeded': { of: 'workspace', label: 'Budget exceeded', color: 'yellow' },
  'model.retiring': { of: 'model', label: 'Model retiring', color: 'yellow' },
  'model.gone': { of: 'model', label: 'Model gone', color: 'red' },
  'provider.failing': { of: 'provider', label: 'Provider failing', color: 'red' },
  'file.expired': { of: 'file', label: 'File expired' },
  test: { of: 'webhook_endpoint', label: 'Test' },
};
