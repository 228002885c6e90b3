/** Verbs of operations, the last word of each id. `read` is a get by POST, with a body. */
export const VERBS = [
  ...(['list', 'get', 'read', 'create', 'createMany', 'update', 'delete', 'deleteMany'] as const),
  ...(['add', 'remove', 'move', 'moveMany', 'fill', 'empty', 'finalize', 'restore', 'retry'] as const),
  ...(['follow', 'cancel', 'pause', 'resume', 'send', 'revoke', 'respond', 'transfer', 'rotate', 'confirm'] as const),
  ...([
    'resend',
    'redeliver',
    'receive',
    'download',
    'check',
    'serving',
    'start',
    'propose',
    'tagMany',
    'markRead',
    'resolve',
    'close',
    'enter',
    'play',
    'order',
    'sign',
  ] as const),
  // Terms of the field, without a verb.
  ...(['signUp', 'logIn', 'me', 'live', 'ready'] as const),
] as const;

/** Resource path and verb, such as `team.invitations.send`: the name of the operation in the client too. */
export type OperationId = `${string}.${(typeof VERBS)[number]}`;

/** Reports whether an operation is described to operators alone: it takes their token, not that of a user. */
export function isForOperators(id: OperationId): boolean {
  return id.startsWith('operators.');
}

/** Reports whether an operation is for guests: a link lets them in. */
export function isForGuests(id: OperationId): boolean {
  return id.startsWith('shared.');
}
