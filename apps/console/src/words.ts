/** Every word of the console: one section for what all screens share, and one for each screen. */
export const words = {
  product: 'X12',

  shell: {
    skip: 'Skip to content',
    bar: 'Console',
    navigation: 'Main',
    groups: { work: 'Work', workspace: 'Workspace' },
    more: 'More',
    find: 'Find',
    search: 'Go to a screen, or do something',
    noMatches: 'Nothing matches. Try another word.',
    goTo: 'Go to',
    actions: 'Do',
    keys: 'Keyboard shortcuts',
    keysOf: {
      palette: 'Find a screen or an action',
      help: 'Show these shortcuts',
      close: 'Close what is open',
      go: (screen: string) => `Go to ${screen}`,
    },
    signOut: 'Sign out',
    account: (name: string) => `Account of ${name}`,
    roles: { owner: 'Owner', admin: 'Admin', member: 'Member' },
    standing: (role: string | null, plan: string) => (role === null ? `Plan ${plan}` : `${role} · ${plan}`),
    creditsLeft: (purchased: string) => `of ${purchased} credits left`,
    offline: 'You are offline. What you see may be old, and changes wait until the connection is back.',
    broken: 'This screen stopped working',
    brokenHint: 'Your work on the service is safe. Load the screen again; if it happens again, tell your operator.',
    notFound: 'There is nothing at this address',
    notFoundHint: 'The link may be old, or what it showed was deleted.',
    toHome: 'Go to home',
    soon: 'This screen is not here yet.',
  },

  ui: {
    retry: 'Try again',
    requestId: 'Request',
    copy: 'Copy',
    copied: 'Copied',
    cancel: 'Cancel',
    close: 'Close',
    undo: 'Undo',
    loading: 'Loading',
    failed: 'That did not work',
    typeToConfirm: (word: string) => `Type “${word}” to confirm`,
    credits: (amount: string, isOne: boolean) => `${amount} ${isOne ? 'credit' : 'credits'}`,
    picker: {
      generated: 'Generated',
      boards: 'Boards',
      personas: 'Personas',
      address: 'Web address',
      label: 'Media to choose from',
      empty: 'Nothing to choose from here',
      emptyHint: 'Look under another heading, or upload a file.',
      noBoards: 'There are no boards yet',
      noPersonas: 'There are no personas yet',
      board: 'Board',
      persona: 'Persona',
      addressLabel: 'Address of a picture',
      addressHint: 'It must be reachable by everyone.',
      use: 'Use',
      chosen: (count: number, most: number) => `${count} of at most ${most} chosen`,
      output: (id: number) => `Output of generation ${id}`,
    },
  },

  signIn: { title: 'Sign in', email: 'E-mail', password: 'Password', submit: 'Sign in' },

  home: { title: 'Home' },

  generate: { title: 'Generate' },

  history: { title: 'History' },

  personas: { title: 'Personas' },

  boards: { title: 'Boards' },

  uploads: { title: 'Uploads' },

  team: { title: 'Team' },

  usage: { title: 'Usage' },

  tokens: { title: 'Tokens and webhooks', short: 'Tokens' },

  operator: { title: 'Operator' },
};
