import type { CreateTokenRequest } from '../../api/index.ts';
import { count } from '../../text.ts';

type Scope = NonNullable<CreateTokenRequest['scopes']>[number];

/** A choice of a form: what it is called, and what it means. */
interface Explained {
  readonly label: string;
  readonly hint: string;
}

const scopes: Readonly<Record<Scope, Explained>> = {
  read: { label: 'Read', hint: 'Read everything in the workspace, but not your account.' },
  generate: { label: 'Generate', hint: 'Start and cancel generations, and read their results and the credits.' },
  upload: { label: 'Upload', hint: 'Upload files.' },
  personas: { label: 'Personas', hint: 'Read and change personas with their slots, likes and files.' },
  boards: { label: 'Boards', hint: 'Read and change boards with their folders and media, and the trash.' },
  team: { label: 'Team', hint: 'Read and change the team with its members and invitations, as far as you may.' },
  webhooks: { label: 'Webhooks', hint: 'Read webhook calls, send them again, and replace the signing secret.' },
  account: { label: 'Account', hint: 'Read and change your account, its tokens and sessions, and read the audit log.' },
};

export const words = {
  title: 'Tokens and webhooks',
  tabs: { tokens: 'API tokens', webhooks: 'Webhooks' },
  hint: 'Programs act in your name with an API token. Give each program a token of its own.',
  create: 'New token',
  find: 'Find by name',
  noMatch: 'No token has that in its name',
  empty: 'No API tokens yet',
  columns: {
    name: 'Name',
    spent: 'Spent this month',
    used: 'Last used',
    created: 'Created',
    expires: 'Expires',
    actions: 'Actions',
  },
  spentOf: (used: string, budget: string) => `${used} of ${budget} credits`,
  noBudget: 'No budget',
  never: 'Never',
  expired: 'Expired',
  revoke: (name: string) => `Revoke ${name}`,
  revokeTitle: 'Revoke this token?',
  revokeWhat:
    'Programs that use this token are refused from the next request on. Sessions and tokens that were made with it ' +
    'end too. A revoked token can’t be restored, but you can create a new one.',
  revokeAction: 'Revoke token',
  revoked: 'The token is revoked.',
  lastUsed: 'Last used:',
  newTitle: 'New token',
  name: 'Name',
  nameHint: 'Name the program that uses the token. You find the token by this name.',
  namePlaceholder: 'Render farm',
  nameMissing: 'Give the token a name.',
  lifetime: 'Expires',
  lifetimes: { '7': 'In 7 days', '30': 'In 30 days', '90': 'In 90 days', '365': 'In a year', never: 'Never' },
  neverHint: 'The token works until it is revoked. If it leaks, whoever has it can act in your name.',
  grant: 'What the program may do',
  grants: {
    everything: { label: 'Everything', hint: 'All that you may do, now and later.' },
    read: { label: 'Only read', hint: scopes.read.hint },
    generate: { label: 'Generate and upload', hint: 'Start generations with uploaded files, and read their results.' },
    chosen: { label: 'Choose…', hint: 'Tick what it may do.' },
  },
  scopes,
  scopesLabel: 'Scopes',
  noScope: 'Tick at least one.',
  budget: 'Budget',
  budgetHint: 'Credits that it may spend in a calendar month (UTC). Empty for no limit.',
  budgetUnit: ' credits a month',
  createAction: 'Create token',
  createdTitle: 'Copy the token now',
  createdWhat: 'The token is shown only once. Only its hash is stored, so it can’t be shown again.',
  secret: 'Token',
  howToUse: 'Send it with each request:',
  done: 'Done',

  membersTitle: 'Webhooks are for admins and the owner',
  membersHint: 'They see the secret that signs calls, and which calls arrived. Ask one of them to change your role.',
  signing: 'Signing secret',
  signingWhat:
    'Every call is signed with this secret, so that its receiver can verify the sender. Keep the secret on servers.',
  show: 'Show the secret',
  hide: 'Hide',
  rotate: 'Replace…',
  rotateTitle: 'Replace the signing secret?',
  rotateWhat: [
    'A new secret is created, and calls are signed with both secrets for 24 hours. Update every receiver within that ' +
      'time: afterwards, receivers with the old secret refuse your calls.',
    'If you replace the secret twice within 24 hours, the oldest one stops at once.',
  ],
  rotateAction: 'Replace secret',
  rotated: 'This is the new secret. Calls are signed with the previous one too for 24 hours.',
  verify: 'How to verify calls',
  verifyWhat:
    'Calls are signed by Standard Webhooks. The client checks signature and time; other languages have libraries too.',
  verifyLabel: 'Code that verifies a call',
  rules: [
    'A 2xx response within 15 seconds is a success; 410 ends the calls.',
    'After any other outcome the call is tried again after 5 s, 30 s, 2 min, 10 min, 1 h, 3 h, 8 h and 12 h.',
    'A call may arrive twice, with the same webhook-id.',
  ],
  deliveries: 'Calls of the last 30 days',
  generation: 'Generation',
  noDeliveries: 'No calls yet',
  noDeliveriesHint: 'Give a generation a “webhook” address. The call at its end is then listed here.',
  noneOfGeneration: (id: number) => `Generation ${id} has no calls`,
  noneOfGenerationHint: 'The generation had no webhook, is not done yet, or ended more than 30 days ago.',
  showAll: 'Show all calls',
  states: { pending: 'Waiting', delivered: 'Delivered', failed: 'Failed' },
  ofGeneration: (id: number) => `Generation ${id}`,
  ofBatch: (id: number) => `Batch ${id}`,
  attempts: (attempts: number) => count(attempts, 'attempt'),
  noAttempt: 'Not called yet',
  due: 'next attempt',
  details: (ended: string) => `Attempts of the call for ${ended.toLowerCase()}`,
  sendAgain: 'Send again',
  sentAgain: (ended: string) => `The call for ${ended.toLowerCase()} is sent again, with the same webhook-id.`,
  took: (ms: string) => `${ms} ms`,
  success: (status: number) => `Accepted with ${status}`,
  errors: {
    status_not_2xx: (status: number | null) => `Refused with ${status}`,
    redirect_not_followed: (status: number | null) => `${status}: redirects are not followed`,
    url_blocked: () => 'The address is private; private addresses are not called',
    url_unreachable: () => 'The address cannot be reached',
    url_timeout: () => 'No response in time',
    unavailable: () => 'The service was busy',
    internal_error: () => 'The service failed; it tries again',
  } as Readonly<Record<string, (status: number | null) => string>>,
};
