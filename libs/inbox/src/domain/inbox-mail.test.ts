import { describe, expect, it } from '@jest/globals';
import { currentNotices, inboxMail, MAX_NOTICES, type Notice } from './inbox-mail.ts';

const NOWHERE = {
  item: null,
  text: null,
  verdict: null,
  boardId: null,
  folderId: null,
  mediaId: null,
  personaId: null,
};
const onBoard = (mediaId: number) => ({ ...NOWHERE, title: 'Summer', author: 'Ada', boardId: 3, mediaId });
const mention = (mediaId: number, text = 'warmer'): Notice => ({
  ...{ ...onBoard(mediaId), kind: 'mention', event: { type: 'comment.created', subjectId: '3' }, text },
});
const decision = (mediaId: number, verdict: 'approved' | 'changes_requested' | 'none' = 'approved'): Notice => ({
  ...{ ...onBoard(mediaId), kind: 'decision', event: { type: 'decision.made', subjectId: '3' }, verdict },
});
const other = (kind: Notice['kind'], type: Notice['event']['type'], place: Partial<Notice> = {}): Notice => ({
  ...{ ...NOWHERE, title: 'Fox', author: null, kind, event: { type, subjectId: '9' }, ...place },
});
const CONSOLE = 'https://x12.example/console';
const mailIn = (series: string, ...notices: Notice[]) =>
  inboxMail({ series, email: 'grace@example.com', notices }, CONSOLE)!;
const mail = (...notices: Notice[]) => mailIn('board:3', ...notices);

describe('a mail about the inbox', () => {
  it('tells of every mention, and of the last decision about each item', () => {
    const notices = [decision(1), mention(1), mention(1), decision(1, 'changes_requested'), decision(2)];
    expect(currentNotices(notices)).toEqual(notices.slice(1));
  });

  it('tells nothing of a decision that was taken back, and is not sent with nothing to tell', () => {
    expect(mail(decision(1), decision(1, 'none'))).toBeNull();
    expect(mail()).toBeNull();
  });

  it('says in its subject what it is about', () => {
    expect(mail(mention(1)).subject).toBe('Ada mentioned you on “Summer”');
    expect(mail({ ...mention(1), kind: 'comment' }).subject).toBe('Ada commented on “Summer”');
    expect(mail(decision(1)).subject).toBe('Ada approved an item on “Summer”');
    expect(mail({ ...decision(1), item: 'red fox' }).subject).toBe('Ada approved “red fox” on “Summer”');
    expect(mail(mention(1), decision(2)).subject).toBe('2 news of “Summer”');
    expect(mailIn('day', mention(1), other('batch', 'batch.ended')).subject).toBe('2 news in your inbox');
    expect(mail({ ...mention(1), author: null }).subject).toBe('Somebody mentioned you on “Summer”');
  });

  it.each([
    [other('share', 'share.opened', { boardId: 3 }), 'Your link “Fox” was opened', '/boards/3'],
    [other('share', 'share.opened'), 'Your link “Fox” was opened', '/inbox'],
    [other('batch', 'batch.ended'), 'Your batch “Fox” has ended', '/batches/9'],
    [other('style', 'style.ready', { personaId: 4 }), 'Your style “Fox” is ready', '/personas/4'],
    [other('style', 'style.failed', { personaId: 4 }), 'Your style “Fox” could not be trained', '/personas/4'],
    [other('model', 'model.retiring'), 'The model “Fox” is about to end', '/generate?model=9'],
    [other('model', 'model.gone'), 'The model “Fox” is gone', '/generate?model=9'],
  ])('links to the place of each kind: %j', (notice, headline, path) => {
    const { subject, text } = mail(notice);
    expect(subject).toBe(headline);
    expect(text).toContain(`${headline}.\n\n`);
    expect(text).toContain(`:\n${CONSOLE}${path}\n`);
  });

  it('quotes, links to each item, and says how to get none', () => {
    const { to, text, html } = mail(mention(7, 'warmer\nhere <b>'), { ...decision(8), folderId: 5, text: 'Good!' });
    expect(to).toBe('grace@example.com');
    expect(text).toBe(`Ada mentioned you on “Summer”: “warmer here <b>”

Open the item:
${CONSOLE}/boards/3?media=7

Ada approved an item on “Summer”: “Good!”

Open the item:
${CONSOLE}/boards/3?folder=5&media=8

You get at most one such mail an hour for each board.

To choose what is mailed: "Mails" in your account, ${CONSOLE}/account`);
    expect(html).toContain('warmer here &#60;b&#62;');
    expect(mailIn('day', mention(1)).text).toContain('at most one such mail a day');
  });

  it('has no links where there is no console', () => {
    expect(inboxMail({ series: 'day', email: 'a@b.c', notices: [mention(7)] }, null)!.text).not.toContain('/boards');
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
