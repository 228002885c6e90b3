import { InMemoryRemoteSources } from './in-memory-remote-sources.ts';
import { remoteSourcesContract } from './remote-sources-contract.ts';

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
