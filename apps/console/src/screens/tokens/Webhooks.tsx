import { Stack } from '@mantine/core';
import { Deliveries } from './Deliveries.tsx';
import { SigningSecret } from './SigningSecret.tsx';

interface WebhooksProps {
  /** Whose calls are listed; 0 for all. */
  readonly generation: number;
  /** The call that is open; 0 for none. */
  readonly call: number;
  readonly onChange: (part: { generation?: number; call?: number }) => void;
}

/** What signs the calls of the workspace, how receivers verify them, and which arrived. */
export function Webhooks(props: WebhooksProps) {
  return (
    <Stack gap="lg">
      <SigningSecret />
      <Deliveries {...props} />
    </Stack>
  );
}
