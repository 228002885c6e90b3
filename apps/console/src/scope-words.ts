import type { CreateTokenRequest } from './api/index.ts';

export type Scope = NonNullable<CreateTokenRequest['scopes']>[number];

/** A choice of a form: its label, and its meaning. */
export interface Explained {
  readonly label: string;
  readonly hint: string;
}

export const scopeWords: Readonly<Record<Scope, Explained>> = {
  read: { label: 'Read', hint: 'Read everything in the workspace, but not your account.' },
  generate: { label: 'Generate', hint: 'Start and cancel generations, and read their results and the credits.' },
  upload: { label: 'Upload', hint: 'Upload files.' },
  personas: { label: 'Personas', hint: 'Read and change personas with their slots, likes and files.' },
  boards: { label: 'Boards', hint: 'Read and change boards with their folders and media, and the trash.' },
  team: { label: 'Team', hint: 'Read and change the team with its members and invitations, as far as you may.' },
  webhooks: {
    label: 'Webhooks',
    hint: 'Read and change webhook endpoints and their secrets, read calls and send them again.',
  },
  account: { label: 'Account', hint: 'Read and change your account, its tokens and sessions, and read the audit log.' },
};
