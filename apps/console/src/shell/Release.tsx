import { Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { x12 } from '../api/index.ts';
import { ErrorText, uiWords } from '../ui/index.ts';
import { words } from './words.ts';

interface Live {
  readonly version: string;
  readonly commit: string | null;
}

/** The version and commit of the service, for error reports. */
export function Release() {
  const { data, error } = useQuery({
    queryKey: ['health', 'live'],
    queryFn: async ({ signal }) =>
      (await x12.client.get<{ 200: Live }, unknown, true>({ url: '/health/live', signal })).data,
  });
  return (
    <Menu.Label>
      {data && words.version(data.version, data.commit?.slice(0, 12) ?? null)}
      {!data && !error && uiWords.loading}
      {!data && error && <ErrorText error={error} />}
    </Menu.Label>
  );
}
