import { Database, PostgresReviewMails, PostgresReviews, PostgresReviewViews } from '#adapters/postgres';
import { Comments, Decisions, ReviewNews, type ReviewViews } from '#review';
import { eventLog, EventsModule } from './events.module.ts';
import { auditLog, clock, jobs, unitOfWork } from './platform.ts';
import { provide, provideAs, SharedModule, token } from './provide.ts';

export const reviewViews = token<ReviewViews>('ReviewViews');

/** Comments and decisions of media items. */
@SharedModule(
  [EventsModule],
  provide(PostgresReviews, Database),
  provideAs(reviewViews, PostgresReviewViews, Database),
  provide(PostgresReviewMails, Database),
  provide(ReviewNews, PostgresReviewMails, jobs, clock),
  provide(Comments, PostgresReviews, unitOfWork, clock, auditLog, eventLog),
  provide(Decisions, PostgresReviews, unitOfWork, clock, auditLog, eventLog),
)
export class ReviewModule {}
