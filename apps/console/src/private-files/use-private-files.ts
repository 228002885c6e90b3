import { useQuery, useQueryClient } from '@tanstack/react-query';
import { workspaceGetOptions, type WorkspaceFilesResponse, x12 } from '../api/index.ts';

const READ = workspaceGetOptions();
/** The pauses between two looks at the progress of a move: longer each time. */
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;

/** The readers of the workspace's files, followed while files move, and how they are changed. */
export function usePrivateFiles() {
  const queries = useQueryClient();
  const workspace = useQuery({
    ...READ,
    refetchInterval: ({ state: { data, dataUpdateCount, errorUpdateCount } }) =>
      data?.moving != null && Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 1.2 ** (dataUpdateCount + errorUpdateCount)),
  });
  const show = (changed: Awaited<ReturnType<typeof x12.workspace.get>>) => {
    queries.setQueryData(READ.queryKey, changed);
    // All that is shown has other URLs now.
    void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== READ.queryKey[0] });
  };
  return {
    workspace,
    change: async (files: WorkspaceFilesResponse['files']) => show(await x12.workspace.update({ files })),
    endUrls: async () => show(await x12.workspace.fileKey.rotate()),
  };
}
