import { expect, it } from '@jest/globals';
import { summaryEvent } from './review-summary.ts';

const counts = { approved: 10, changesRequested: 2, undecided: 0, comments: 3 };
const event = (part: Partial<typeof counts> = {}, guestId = 5) =>
  summaryEvent({ id: 7, workspaceId: 1 }, { id: guestId, name: 'Mia' }, { ...counts, ...part }, new Date(0));

it('a summary names the guest and counts decisions and comments', () => {
  expect(event()).toMatchObject({
    ...{ workspaceId: 1, type: 'review.summary', subjectId: 7 },
    facts: { guest: 'Mia', approved: 10, changes_requested: 2, undecided: 0, comments: 3 },
  });
});

it('the same summary of a guest is recorded once, another one again', () => {
  expect(event().key).toBe(event().key);
  const others = [event({ comments: 4 }), event({ approved: 9, undecided: 1 }), event({}, 6)];
  expect(new Set([event(), ...others].map(({ key }) => key)).size).toBe(4);
});
