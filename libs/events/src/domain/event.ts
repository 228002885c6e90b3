/** Event types, each with the type of its subject: the events of one subject are delivered in their order. */
export const SUBJECT_OF = {
  'generation.succeeded': 'generation',
  'generation.failed': 'generation',
  'generation.canceled': 'generation',
  'batch.ended': 'batch',
  'style.ready': 'style',
  'style.failed': 'style',
  'upload.saved': 'upload',
  'media.processed': 'board',
  'media.failed': 'board',
  'board.created': 'board',
  'board.deleted': 'board',
  'comment.created': 'board',
  'comment.updated': 'board',
  'decision.made': 'board',
  'share.opened': 'share',
  'review.summary': 'share',
  'member.joined': 'member',
  'member.left': 'member',
  'member.role_changed': 'member',
  'credits.low': 'workspace',
  'budget.exceeded': 'workspace',
  'model.retiring': 'model',
  'model.gone': 'model',
  'provider.failing': 'provider',
  'file.expired': 'file',
  test: 'webhook_endpoint',
} as const;

export type EventType = keyof typeof SUBJECT_OF;
export type SubjectType = (typeof SUBJECT_OF)[EventType];
export const EVENT_TYPES = Object.keys(SUBJECT_OF) as readonly EventType[];
export const SUBJECT_TYPES: readonly SubjectType[] = [...new Set(Object.values(SUBJECT_OF))];

/** Types about people, credits, links and vendors, which members can't read elsewhere either. */
const OF_TEAM: readonly EventType[] = [
  'share.opened',
  'review.summary',
  'member.joined',
  'member.left',
  'member.role_changed',
  'credits.low',
  'budget.exceeded',
  'provider.failing',
  'test',
];

/** @param mayReadOfTeam whether the reader may do `event.read_of_team` */
export function readableTypes(mayReadOfTeam: boolean): readonly EventType[] {
  return mayReadOfTeam ? EVENT_TYPES : EVENT_TYPES.filter((type) => !OF_TEAM.includes(type));
}

/** Facts by which the data of an event is read, beside its subject. */
export type EventFacts = Readonly<Record<string, string | number | boolean | null>>;

/** An event, recorded in the unit of work of what it tells. */
export interface NewEvent {
  readonly workspaceId: number;
  readonly type: EventType;
  /** A name for models and providers, an id for all others. */
  readonly subjectId: number | string;
  readonly createdAt: Date;
  readonly facts?: EventFacts;
  /** The label of the caller's own user. */
  readonly customer?: string | null;
  /** A user whose name or words the data has: the event is deleted with the person. */
  readonly userId?: number | null;
  /** The `webhook` of the call that has ended. */
  readonly webhook?: string | null;
  /** Unique in the workspace: of events with the same key, the first is recorded. */
  readonly key?: string | null;
}

/** A recorded event that has no number and no data yet. */
export interface RecordedEvent {
  /** Its place among all recorded events. */
  readonly seq: number;
  /** A random UUID. */
  readonly id: string;
  readonly workspaceId: number;
  readonly type: EventType;
  readonly subjectId: string;
  readonly customer: string | null;
  readonly facts: EventFacts;
  readonly webhook: string | null;
  readonly createdAt: Date;
}

/** An event that callers can read. */
export interface Event extends RecordedEvent {
  /** Grows with each event of the workspace. */
  readonly number: number;
  /** With `rememberedUrls`. */
  readonly data: EventData;
}

export type EventData = Readonly<Record<string, unknown>>;

const NAMED: readonly SubjectType[] = ['model', 'provider'];

/** The subject as callers see it: ids are numbers, names are texts. */
export function subjectOf({ type, subjectId }: Pick<Event, 'type' | 'subjectId'>): {
  readonly type: SubjectType;
  readonly id: number | string;
} {
  const subjectType = SUBJECT_OF[type];
  return { type: subjectType, id: NAMED.includes(subjectType) ? subjectId : Number(subjectId) };
}
