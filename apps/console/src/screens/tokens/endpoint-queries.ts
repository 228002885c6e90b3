import { useQuery, useQueryClient } from '@tanstack/react-query';
import { refresh, useChange, useLiveEvents, webhookEndpointsListOptions, x12 } from '../../api/index.ts';

/** How often endpoints are read again: their state changes with their calls. */
const POLL_MS = 10_000;

export function useEndpoints() {
  return useQuery({
    ...webhookEndpointsListOptions(),
    refetchInterval: POLL_MS,
    select: (data) => data.webhook_endpoints,
  });
}

/** A call that changes endpoints or their deliveries. */
export function useEndpointCall<Variables, Result>(call: (variables: Variables) => Promise<Result>) {
  return useChange(call, 'endpoints', 'deliveries');
}

/** Sends tests. The delivery of a test is made when its event is published, after the response. */
export function useEndpointTest() {
  const queries = useQueryClient();
  useLiveEvents({ types: 'test', subject: '', isOn: true }, () => void refresh(queries, 'endpoints', 'deliveries'));
  return useEndpointCall(async (id: number) => x12.webhookEndpoints.check({ id })).mutateAsync;
}
