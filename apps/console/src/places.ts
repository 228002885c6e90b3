/** Names of the screens: in the navigation, in Find, and as titles. */
export const places = {
  home: 'Home',
  inbox: 'Inbox',
  generate: 'Generate',
  library: 'Library',
  boards: 'Boards',
  shares: 'Shares',
  personas: 'Personas',
  uploads: 'Uploads',
  team: 'Team',
  usage: 'Usage',
  tokens: 'Developers',
  trash: 'Trash',
  audit: 'Audit log',
  batches: 'Batches',
  account: 'Account',
  operator: 'Operator',
};

export const product = 'X12';
