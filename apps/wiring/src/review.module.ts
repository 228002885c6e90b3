import { Database, PostgresReviews, PostgresReviewViews } from '#adapters/postgres';
import { Comments, Decisions, type ReviewViews } from '#review';
import { eventLog, EventsModule } from './events.module.ts';
import { auditLog, clock, unitOfWork } from './platform.ts';
import { provide, provideAs, SharedModule, token } from './provide.ts';

export const reviewViews = token<ReviewViews>('ReviewViews');

/** Comments and decisions of media items. */
@SharedModule(
  [EventsModule],
  provide(PostgresReviews, Database),
  provideAs(reviewViews, PostgresReviewViews, Database),
  provide(Comments, PostgresReviews, unitOfWork, clock, auditLog, eventLog),
  provide(Decisions, PostgresReviews, unitOfWork, clock, auditLog, eventLog),
)
export class ReviewModule {}
