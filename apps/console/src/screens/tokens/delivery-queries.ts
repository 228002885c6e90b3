import { type InfiniteData, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import {
  type DeliveriesResponse,
  type DeliveryDto,
  webhooksDeliveriesListInfiniteOptions,
  x12,
} from '../../api/index.ts';
import { Changes } from '../../state/index.ts';
import { pauseBeforeReading } from './deliveries.ts';

/**
 * @param generation 0 for the calls of all generations
 * @param endpoint 0 for those of all endpoints
 */
export function useDeliveries(generation: number, endpoint: number) {
  const query = { limit: 50, generation_id: generation || undefined, endpoint_id: endpoint || undefined };
  return useInfiniteQuery({
    ...webhooksDeliveriesListInfiniteOptions({ query }),
    initialPageParam: {},
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: ({ state }) => pauseBeforeReading(listed(state.data), new Date()),
  });
}

export function listed(data: InfiniteData<DeliveriesResponse> | undefined): DeliveryDto[] {
  return data?.pages.flatMap(({ deliveries }) => deliveries) ?? [];
}

export const deliveryChanges = new Changes<InfiniteData<DeliveriesResponse>>('deliveries');

/** Sends a call again. It is shown as waiting at once, and reverted if the service refuses. */
export function useRedelivery() {
  const queries = useQueryClient();
  return (delivery: DeliveryDto) => {
    const waiting: DeliveryDto = { ...delivery, state: 'pending', next_attempt_at: new Date().toISOString() };
    return deliveryChanges.make(
      queries,
      (data) => withDelivery(data, waiting),
      () => x12.webhooks.deliveries.redeliver({ id: delivery.id }),
    );
  };
}

function withDelivery(data: InfiniteData<DeliveriesResponse>, changed: DeliveryDto): InfiniteData<DeliveriesResponse> {
  const replaced = ({ deliveries, ...page }: DeliveriesResponse) => ({
    ...page,
    deliveries: deliveries.map((each) => (each.id === changed.id ? changed : each)),
  });
  return { ...data, pages: data.pages.map(replaced) };
}

/** The signing secret, read on demand and dropped when it is hidden. */
export function useSigningSecret() {
  const reading = useMutation({ mutationFn: () => x12.webhooks.secret.get(), gcTime: 0 });
  const rotation = useMutation({ mutationFn: () => x12.webhooks.secret.rotate(), gcTime: 0 });
  return {
    secret: rotation.data?.secret ?? reading.data?.secret ?? null,
    isNew: rotation.isSuccess,
    isReading: reading.isPending,
    error: reading.error,
    show: () => reading.mutate(),
    hide: () => {
      reading.reset();
      rotation.reset();
    },
    rotate: () => rotation.mutateAsync(),
  };
}
