import { InMemoryPictures, InMemoryRemoteSources, picturesContract, remoteSourcesContract } from './index.ts';

picturesContract('InMemoryPictures', () => new InMemoryPictures());

remoteSourcesContract('InMemoryRemoteSources', async () => {
  const sources = new InMemoryRemoteSources({ timeoutMs: 50 });
  return {
    sources,
    serve: (bytes) => sources.serve(bytes),
    refuse: (status) => sources.refuse(status),
    hang: () => sources.hang(),
    forbidden: 'http://127.0.0.1/',
    close: async () => {},
  };
});
