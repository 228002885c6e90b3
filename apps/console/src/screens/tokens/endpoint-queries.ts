import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  type CreateEndpointRequest,
  type EndpointDto,
  type NewEndpointDto,
  refresh,
  useLiveEvents,
  webhookEndpointsListOptions,
  x12,
} from '../../api/index.ts';

/** How often endpoints are read again: their state changes with their calls. */
const POLL_MS = 10_000;

export function useEndpoints() {
  return useQuery({
    ...webhookEndpointsListOptions(),
    refetchInterval: POLL_MS,
    select: (data) => data.webhook_endpoints,
  });
}

/** A call that changes endpoints or their deliveries. Its result may have a secret: it is only in memory. */
function useCall<Variables, Result>(call: (variables: Variables) => PromiseLike<Result>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (variables: Variables) => call(variables),
    onSettled: () => refresh(queries, 'endpoints', 'deliveries'),
    gcTime: 0,
  });
}

/** Registers an endpoint, or changes that with the id. A new one has its secret. */
export function useEndpointSaving(id: number | undefined) {
  return useCall(async (fields: CreateEndpointRequest): Promise<EndpointDto | NewEndpointDto> => {
    const { webhookEndpoints } = x12;
    const saving = id === undefined ? webhookEndpoints.create(fields) : webhookEndpoints.update({ id, ...fields });
    return (await saving).webhook_endpoint;
  });
}

export function useSecretRotation() {
  return useCall(async (id: number) => (await x12.webhookEndpoints.secret.rotate({ id })).webhook_endpoint);
}

export function useEndpointDeletion() {
  return useCall((id: number) => x12.webhookEndpoints.delete({ id })).mutateAsync;
}

export function useRedeliveryOfEvents() {
  return useCall(async (range: { readonly id: number; readonly after: string; readonly before?: string }) => {
    return (await x12.webhookEndpoints.redeliver(range)).events;
  }).mutateAsync;
}

/** Sends tests. The delivery of a test is made when its event is published, after the response. */
export function useEndpointTest() {
  const queries = useQueryClient();
  useLiveEvents({ types: 'test', subject: '', isOn: true }, () => void refresh(queries, 'endpoints', 'deliveries'));
  return useCall((id: number) => x12.webhookEndpoints.check({ id })).mutateAsync;
}
