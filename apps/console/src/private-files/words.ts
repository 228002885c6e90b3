import { count } from '../text.ts';

export const words = {
  title: 'Private files',
  label: 'Files are private',
  hint:
    'Anyone who has the address of a public file can open it, for as long as the file exists. Addresses of private files ' +
    'are signed, and end: usually after a day. In the console, and for guests of your links, nothing changes.',
  state: {
    public: 'Files are public: whoever has an address can open it.',
    private: 'Files are private: addresses are signed, and end.',
  },
  forAdmins: 'Admins and the owner can change this.',
  moving: (done: number, all: number) =>
    `${done.toLocaleString('en')} of ${count(all, 'file')} moved. Until all have moved, addresses that were given out still open.`,
  progress: 'Files that have moved',
  toPrivate: {
    title: 'Make all files private?',
    what: [
      'Addresses that were given out stop working once all files have moved: on web pages, in mails, in programs.',
      'New addresses are signed, and end: usually after a day. Programs get them in every response.',
      'Links for guests keep working. You can take this back at any time.',
    ],
    action: 'Make private',
    done: 'Files are private from now on.',
  },
  toPublic: {
    title: 'Make all files public?',
    what: [
      'Whoever has an address can open the file again, for as long as it exists: also addresses that were given out before files became private.',
      'You can take this back at any time.',
    ],
    action: 'Make public',
    done: 'Files are public from now on.',
  },
  end: 'End all addresses…',
  endHint: 'For when addresses got into wrong hands: those signed until now end within the hour.',
  ending: {
    title: 'End all addresses?',
    what: [
      'Addresses that were signed until now work for one more hour, and those from before the last time end at once.',
      'The console and your links for guests get new ones by themselves. Pages and programs that have kept an address have to get a new one.',
    ],
    action: 'End all addresses',
  },
  ended: (since: string, until: string) => `Addresses from before ${since} end at ${until}.`,
  endedBefore: (since: string) => `Addresses from before ${since} have ended.`,
};
