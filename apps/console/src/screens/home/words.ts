export const words = {
  greeting: (name: string | null) => (name ? `Hello, ${name}` : 'Home'),
  generate: 'Generate',
  unverified: 'Confirm your e-mail address first',
  unverifiedHint: 'Open the link in the mail that we sent you. Everything here works after that.',
  running: {
    title: 'Running now',
    none: 'Nothing runs at the moment.',
    more: (count: number) => `and ${count} more`,
    progress: (id: number) => `Progress of generation ${id}`,
    cancel: (name: string) => `Cancel “${name}”`,
  },
  credits: {
    title: 'Credits left',
    of: (purchased: string) => `of ${purchased} this month`,
    renewed: (days: number) => `New credits come ${days === 1 ? 'tomorrow' : `in ${days} days`}, at midnight UTC.`,
    none: (days: number) =>
      `Nothing can be generated until new credits come ${days === 1 ? 'tomorrow' : `in ${days} days`}. Ask your operator for more.`,
    who: 'See who used them',
  },
  failures: { title: 'Needs your attention', all: 'All that failed', free: 'Nothing was charged' },
  latest: { title: 'Made last', all: 'Library' },
  connect: {
    title: 'Connect a real model',
    hint: 'So far everything is made by the built-in models. With the key of a vendor and the address of a model it takes a minute, and no restart.',
    action: 'Connect a model',
  },
  steps: {
    persona: {
      title: 'Give a persona its look',
      hint: 'Fill its seven slots with pictures: a style, a photo, references.',
    },
    generate: {
      title: 'Generate something',
      hint: 'Choose a model, say what you want, and see the cost before you start.',
    },
    board: { title: 'Collect it on a board', hint: 'Keep what you like in folders, and look at it large.' },
  },
};
