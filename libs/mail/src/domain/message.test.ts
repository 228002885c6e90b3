import { describe, expect, it } from '@jest/globals';
import { mailOf, shownName } from './message.ts';

describe('a mail', () => {
  it('says the same in plain text and in HTML', () => {
    const { text, html } = mailOf({
      to: 'ada@example.com',
      subject: 'A "token"',
      parts: [
        'First.',
        { link: 'https://x.test/?a=1&b="2"#t', label: 'Open <it>' },
        { token: 'x12_t' },
        { note: 'a\nb' },
      ],
    });
    expect(text).toBe('First.\n\nOpen <it>:\nhttps://x.test/?a=1&b="2"#t\n\nx12_t\n\na\nb');
    expect(html).toContain('<title>A &#34;token&#34;</title>');
    expect(html).toContain('<p>First.</p>');
    expect(html).toContain('<a href="https://x.test/?a=1&#38;b=&#34;2&#34;#t">Open &#60;it&#62;</a>');
    expect(html).toContain('\nx12_t</pre>');
    expect(html).toContain('>a<br>\nb</p>');
  });

  it.each([
    ['<b onclick="x">Grace</b> & \'co\'', '&#60;b onclick=&#34;x&#34;&#62;Grace&#60;/b&#62; &#38; &#39;co&#39; ('],
    ['Grace\r\nBcc: all@example.com', 'Grace Bcc: all@example.com ('],
    ['Grace\u202Emoc.live\u2028 second line\u0000', 'Grace moc.live  second line ('],
    ['\u200B\u202E', '<p>grace@example.com<'],
    [null, '<p>grace@example.com<'],
  ])('shows the name %j as text, in one line', (name, shown) => {
    const parts = [shownName({ name, email: 'grace@example.com' })];
    expect(mailOf({ to: 'ada@example.com', subject: 'Hi', parts }).html).toContain(shown);
  });
});
