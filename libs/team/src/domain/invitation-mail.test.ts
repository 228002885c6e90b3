import { describe, expect, it } from '@jest/globals';
import { emailOf, tokenSecretOf } from '#identity';
import { invitationMail, type InvitationLetter } from './invitation-mail.ts';

const token = tokenSecretOf('A'.repeat(43));
const urls = { api: 'https://api.example.com', page: null };
const letter: InvitationLetter = {
  email: emailOf('ada@example.com'),
  role: 'admin',
  inviter: { userId: 7, email: emailOf('grace@example.com'), name: 'Grace Hopper' },
  owner: { email: emailOf('boss@example.com'), name: 'Boss' },
  expiresAt: new Date('2026-11-28T07:30:00Z'),
};

describe('the mail of an invitation', () => {
  it('states inviter, team, role, token, how to respond, and the expiry', () => {
    const { to, subject, text, html } = invitationMail(letter, token, urls);
    expect(to).toBe('ada@example.com');
    expect(subject).toBe('grace@example.com invites you to a team');
    for (const body of [text, html]) {
      expect(body).toContain('Grace Hopper (grace@example.com) invites you to the team of boss@example.com');
      expect(body).toContain('as an admin');
      expect(body).toContain('log in as ada@example.com');
      expect(body).toContain('https://api.example.com/v2/team/respond_invitation');
      expect(body).toContain('Saturday, 28 November 2026 at 07:30 UTC');
    }
    expect(text).toContain(`\n${token}\n`);
    expect(html).toContain(`\n${token}</pre>`);
    expect(html).not.toContain('<a ');
  });

  it('links to the page of the operator, with the token in the fragment', () => {
    const page = 'https://app.example.com/join?from=mail&x="1"';
    const { text, html } = invitationMail(letter, token, { ...urls, page });
    expect(text).toContain(`${page}#token=${token}`);
    expect(html).toContain(`href="https://app.example.com/join?from=mail&#38;x=&#34;1&#34;#token=${token}"`);
    for (const body of [text, html]) {
      expect(body).toContain('Sign up or log in there as ada@example.com');
      // Nothing that is for programs.
      expect(body).not.toMatch(/POST|\bact\b|respond_invitation/);
    }
    expect(text).not.toContain(`\n${token}\n`);
    expect(html).not.toContain('<pre');
  });

  it('names an inviter without a name by their address', () => {
    const { text } = invitationMail(
      { ...letter, role: 'member', inviter: { ...letter.inviter, name: null } },
      token,
      urls,
    );
    expect(text).toContain('grace@example.com invites you to the team of boss@example.com, as a member.');
  });
});
