import { Database, PostgresReviewMails, PostgresReviews, PostgresReviewViews } from '#adapters/postgres';
import { Comments, Decisions, ReviewNews, type ReviewViews } from '#review';
import { auditLog, clock, jobs, unitOfWork } from './platform.ts';
import { provide, provideAs, SharedModule, token } from './provide.ts';

export const reviewViews = token<ReviewViews>('ReviewViews');

/** Comments and decisions of media items. */
@SharedModule(
  [],
  provide(PostgresReviews, Database),
  provideAs(reviewViews, PostgresReviewViews, Database),
  provide(PostgresReviewMails, Database),
  provide(ReviewNews, PostgresReviewMails, jobs, clock),
  provide(Comments, PostgresReviews, unitOfWork, clock, auditLog, ReviewNews),
  provide(Decisions, PostgresReviews, unitOfWork, clock, auditLog, ReviewNews),
)
export class ReviewModule {}
