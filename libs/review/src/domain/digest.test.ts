import { describe, expect, it } from '@jest/globals';
import { currentNotices, digestMail, MAX_NOTICES, secondsUntilMail, type Digest, type Notice } from './digest.ts';

const mention = (mediaId: number, text = 'warmer'): Notice => ({
  ...{ kind: 'mention', mediaId, folderId: null, author: 'Ada', text },
});
const decision = (mediaId: number, verdict: 'approved' | 'changes_requested' | 'none' = 'approved'): Notice => ({
  ...{ kind: 'decision', mediaId, folderId: null, author: 'Ada', verdict, text: null },
});
const CONSOLE = 'https://x12.example/console';
const digest = (...notices: Notice[]): Digest => ({
  boardId: 3,
  boardName: 'Summer',
  email: 'grace@example.com',
  notices,
});
const mail = (...notices: Notice[]) => digestMail(digest(...notices), CONSOLE)!;

describe('a mail about a board', () => {
  const sentAt = new Date('2026-03-14T10:00:00.000Z');
  it.each([
    [null, '2026-03-14T10:00:00.000Z', 0],
    [sentAt, '2026-03-14T10:00:00.000Z', 3600],
    [sentAt, '2026-03-14T10:59:59.999Z', 1],
    [sentAt, '2026-03-14T11:00:00.000Z', 0],
    [sentAt, '2026-03-15T11:00:00.000Z', 0],
  ])('is sent at most once an hour: after %s, at %s, in %d s', (last, now, seconds) => {
    expect(secondsUntilMail(last, new Date(now))).toBe(seconds);
  });

  it('tells of every mention, and of the last decision about each item', () => {
    const notices = [decision(1), mention(1), mention(1), decision(1, 'changes_requested'), decision(2)];
    expect(currentNotices(notices)).toEqual(notices.slice(1));
  });

  it('tells nothing of a decision that was taken back, and is not sent with nothing to tell', () => {
    expect(digestMail(digest(decision(1), decision(1, 'none')), CONSOLE)).toBeNull();
    expect(digestMail(digest(), CONSOLE)).toBeNull();
  });

  it('says in its subject what it is about', () => {
    expect(mail(mention(1)).subject).toBe('Ada mentioned you on “Summer”');
    expect(mail(decision(1)).subject).toBe('Ada approved an item of yours on “Summer”');
    expect(mail(mention(1), decision(2)).subject).toBe('2 news of “Summer”');
    expect(mail({ ...mention(1), author: null }).subject).toBe('Somebody mentioned you on “Summer”');
  });

  it('quotes, links to each item, and says how to get none', () => {
    const { to, text, html } = mail(mention(7, 'warmer\nhere <b>'), { ...decision(8), folderId: 5, text: 'Good!' });
    expect(to).toBe('grace@example.com');
    expect(text).toBe(`Ada mentioned you: “warmer here <b>”

Open the item:
${CONSOLE}/boards/3?media=7

Ada approved an item of yours: “Good!”

Open the item:
${CONSOLE}/boards/3?folder=5&media=8

You get at most one such mail an hour for each board.

To get none: turn off "Mails about boards" in your account, ${CONSOLE}/account`);
    expect(html).toContain('warmer here &#60;b&#62;');
  });

  it('has no links where there is no console', () => {
    expect(digestMail(digest(mention(7)), null)!.text).not.toContain('/boards');
  });

  it('is of bounded length, and shows no names that disguise it', () => {
    const many = Array.from({ length: MAX_NOTICES + 1 }, (_, index) => mention(index, '🌊'.repeat(4_000)));
    const { text } = mail(...many);
    expect(text.match(/Ada mentioned you/g)).toHaveLength(MAX_NOTICES);
    expect(text).toContain(`“${'🌊'.repeat(300)}…”`);
    expect(text).toContain('1 further');
    expect(mail(...many.slice(1)).text).not.toContain('further');
    expect(mail({ ...mention(1), author: 'Ada\nTo: x\u202e' }).subject).toBe('Ada To: x mentioned you on “Summer”');
  });
});
