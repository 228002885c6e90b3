import { PostgresEvents } from '#adapters/postgres';
import { EventPublisher } from '#events';
import { InboxNews } from '#inbox';
import { Deliveries } from '#webhooks';
import * as wiring from '#wiring';
import { ApiEventSubjects } from '../../apps/api/src/events/event-subjects.ts';
import type { Product } from './product.ts';

/** The publisher of the API. An error fails the test. */
export function publisherOf(product: Pick<Product, 'get'>): EventPublisher {
  const views = [wiring.generationViews, wiring.batchViews, wiring.styleViews, wiring.fileRecords] as const;
  const others = [wiring.boardViews, wiring.reviewViews, wiring.shareViews, wiring.memberStore] as const;
  const of = [...views, ...others, wiring.models].map((each) => product.get<unknown>(each));
  return new EventPublisher({
    store: product.get(PostgresEvents),
    subjects: new ApiEventSubjects(...(of as ConstructorParameters<typeof ApiEventSubjects>)),
    consumers: [product.get(Deliveries), product.get(InboxNews)],
    unitOfWork: product.get(wiring.unitOfWork),
    report: (error) => {
      throw error;
    },
  });
}
