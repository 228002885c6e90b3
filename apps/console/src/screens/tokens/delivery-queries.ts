import { type InfiniteData, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import {
  type DeliveriesResponse,
  type DeliveryDto,
  webhooksDeliveriesListInfiniteOptions,
  x12,
} from '../../api/index.ts';
import { pauseBeforeReading } from './deliveries.ts';

const LISTS = { queryKey: [{ _id: 'webhooksDeliveriesList' }] };

/** @param generation 0 for those of all */
export function useDeliveries(generation: number) {
  const query = { limit: 50, ...(generation > 0 && { generation_id: generation }) };
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

/** Shows the call as waiting at once, and as it was again if the service refuses. */
export function useRedelivery() {
  const queries = useQueryClient();
  const show = (changed: DeliveryDto) =>
    queries.setQueriesData<InfiniteData<DeliveriesResponse>>(LISTS, (data) => data && withDelivery(data, changed));
  return useMutation({
    mutationFn: ({ id }: DeliveryDto) => x12.webhooks.deliveries.redeliver({ id }),
    onMutate: (delivery) => {
      show({ ...delivery, state: 'pending', next_attempt_at: new Date().toISOString() });
    },
    onSuccess: ({ delivery }) => show(delivery),
    onError: (_error, delivery) => show(delivery),
    onSettled: () => queries.invalidateQueries(LISTS),
  }).mutateAsync;
}

function withDelivery(data: InfiniteData<DeliveriesResponse>, changed: DeliveryDto): InfiniteData<DeliveriesResponse> {
  const replaced = ({ deliveries, ...page }: DeliveriesResponse) => ({
    ...page,
    deliveries: deliveries.map((each) => (each.id === changed.id ? changed : each)),
  });
  return { ...data, pages: data.pages.map(replaced) };
}

/** The secret is asked for on demand alone, and not kept once it is hidden. */
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
