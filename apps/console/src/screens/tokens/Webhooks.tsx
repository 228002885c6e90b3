import { Stack } from '@mantine/core';
import { Deliveries, type DeliveriesProps } from './Deliveries.tsx';
import { Endpoints } from './Endpoints.tsx';
import { SigningSecret } from './SigningSecret.tsx';

/** The endpoints, the signing secret and the calls of the workspace. */
export function Webhooks(props: DeliveriesProps) {
  return (
    <Stack gap="lg">
      <Endpoints onShow={(endpoint) => props.onChange({ endpoint, generation: 0, call: 0 })} />
      <SigningSecret />
      <Deliveries {...props} />
    </Stack>
  );
}
