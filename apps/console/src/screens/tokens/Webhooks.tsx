import { Stack } from '@mantine/core';
import { Deliveries } from './Deliveries.tsx';
import { SigningSecret } from './SigningSecret.tsx';

interface WebhooksProps {
  /** The id of the generation whose calls are listed; 0 for all. */
  readonly generation: number;
  /** The id of the open call; 0 for none. */
  readonly call: number;
  readonly onChange: (part: { generation?: number; call?: number }) => void;
}

/** The signing secret and the calls of the workspace. */
export function Webhooks(props: WebhooksProps) {
  return (
    <Stack gap="lg">
      <SigningSecret />
      <Deliveries {...props} />
    </Stack>
  );
}
