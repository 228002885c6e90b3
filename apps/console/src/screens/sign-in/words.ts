export const signIn = {
  titles: { password: 'Welcome back', token: 'Sign in by token', new: 'Create your account' },
  hints: {
    password: 'Sign in to your workspace.',
    token: 'For accounts without a password, such as those of the demo.',
    new: 'With a workspace of your own, and credits to begin with.',
  },
  ways: { password: 'Sign in with a password', token: 'Use a token', new: 'Create an account' },
  fields: { email: 'E-mail', password: 'Password', name: 'Name', token: 'Token' } as Readonly<Record<string, string>>,
  passwordHint: '10 characters or more. A few words that only you would put together are best.',
  nameOptional: 'Name (optional)',
  tokenHint: 'It is used once to open a session, and stays valid for programs.',
  submit: 'Sign in',
  signUp: 'Create account',
  link: {
    opening: 'Signing you in',
    refused: 'This link does not work',
    refusedHint: 'Start the service again for a new link, or sign in with a token or a password.',
  },
  invitation: {
    title: 'You are invited to a team',
    signInFirst: 'Create an account, or sign in, with the e-mail that the invitation was sent to.',
    asWhom: (email: string) => `You are signed in as ${email}.`,
    whatChanges:
      'When you accept, you work in the workspace of the team, with its personas, boards and credits. What you made so far stays in your own workspace, and is there again when you leave the team.',
    accept: 'Accept',
    decline: 'Decline',
    someoneElse: 'Sign in as someone else',
    accepted: 'Welcome to the team',
    declined: 'The invitation is declined',
    noSecret: 'Open the link in your mail',
    noSecretHint: 'This page needs the link of an invitation, each time it is loaded. Open it from the mail again.',
  },
};
