import { type QueryClient } from '@tanstack/react-query';
import type * as operations from '#client/query';

type Named<Id> = Id extends `${string}Infinite` ? never : Id;
/** The read operations of the service, as the keys of queries name them. */
type Read = {
  [K in keyof typeof operations]: K extends `${infer Id}QueryKey` ? Named<Id> : never;
}[keyof typeof operations];

/** The reads that a change of each subject makes stale. */
const READS = {
  batches: ['batchesList', 'batchesGet'],
  boards: ['boardsList', 'boardsGet', 'boardsMediaList'],
  comments: ['boardsMediaCommentsList'],
  credits: ['creditsGet'],
  customers: ['customersList'],
  decisions: ['boardsMediaDecisionsList'],
  deliveries: ['webhooksDeliveriesList'],
  endpoints: ['webhookEndpointsList'],
  exports: ['authExportsList'],
  files: ['personasFilesList'],
  generations: ['generationsList', 'generationsGet', 'generationsLineageGet'],
  inbox: ['inboxList'],
  identities: ['authIdentitiesList'],
  lineages: ['generationsLineageGet'],
  library: ['libraryList', 'tagsList'],
  models: ['modelsList'],
  personas: ['personasList', 'personasGet'],
  presets: ['presetsList'],
  searches: ['searchesList'],
  shares: ['sharesList'],
  styles: ['personasStylesList'],
  tags: ['tagsList'],
  team: ['teamGet', 'teamMembersList', 'teamInvitationsList', 'authMe'],
  tokens: ['authTokensList', 'authSessionsList', 'authGrantsList'],
  trash: ['trashList'],
} as const satisfies Readonly<Record<string, readonly Read[]>>;

export type Subject = keyof typeof READS;

/** Reads stale queries of these subjects again: mounted queries at once, the others when they are used next. */
export function refresh(queries: QueryClient, ...subjects: readonly Subject[]): Promise<void> {
  const stale = new Set<unknown>(subjects.flatMap((subject) => READS[subject]));
  const isStale = (key: unknown) => stale.has((key as { readonly _id?: string })._id);
  return queries.invalidateQueries({ predicate: ({ queryKey }) => isStale(queryKey[0]) });
}
