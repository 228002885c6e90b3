import type { JobName } from '#kernel';

/** Queues by the kind of load, so that none waits behind another kind. */
export const LANES = ['generations', 'pictures', 'mail', 'housekeeping'] as const;
export type Lane = (typeof LANES)[number];

export const LANE_OF = {
  'generation.run': 'generations',
  'training.process': 'pictures',
  'persona.purge': 'housekeeping',
  'files.reclaim': 'housekeeping',
  'media.process': 'pictures',
  'board.purge': 'housekeeping',
  'invitation.send': 'mail',
} as const satisfies Record<JobName, Lane>;
