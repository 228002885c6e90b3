/** @tier test */
import { describe, expect, it } from '@jest/globals';
import { someone } from '#testing/identity';
import type { TestRequest } from '../support/call-api.ts';
import { eventually } from '../support/eventually.ts';
import { expectRefusal } from '../support/expectations.ts';
import { mailTo } from '../support/mail-to.ts';
import { call, cast, password, secrets, service, type PendingDto, type Person } from '../support/team-stage.ts';
describe('an invitation', () => {
  it('can be read and accepted once by the invited user; other tokens get the same error', async () => {
    const { people, invitation, workspaceId } = await cast();
    const { invited, outsider, admin, owner } = people;
    const { token } = invitation;
    const read = (person: Person, token?: string) => call(person, 'POST', '/v2/team/read_invitation', { token });
    const respond = (person: Person, form: TestRequest['form']) =>
      call(person, 'POST', '/v2/team/respond_invitation', form);
    expectRefusal(await respond(invited, { act: 'accept' }), 400, 'validation_failed', 'token');
    expectRefusal(await respond(invited, { token, act: 'yes' }), 400, 'validation_failed', 'act');
    expectRefusal(await read(invited), 400, 'validation_failed', 'token');
    const bodies = new Set<string>();
    const expectInvalid = async (person: Person, token: string) => {
      for (const response of [await read(person, token), await respond(person, { token, act: 'accept' })]) {
        expectRefusal(response, 400, 'invalid_invitation');
        bodies.add(JSON.stringify({ ...response.body, request_id: '' }));
      }
    };
    await expectInvalid(invited, secrets.create());
    await expectInvalid(invited, 'x'.repeat(100_000));
    await expectInvalid(outsider, token);
    const { body } = await read(invited, token);
    expect(body).toEqual({
      status: true,
      invitation: {
        email: invited.email,
        role: 'member',
        invited_by: { name: 'Someone', email: admin.email },
        team: { id: workspaceId, owner: { name: 'Someone', email: owner.email } },
        expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      },
    });
    expect((await read(invited, token)).body).toEqual(body);
    const preview = (token: string) => service.call('POST', '/v2/team/preview_invitation', { json: { token } });
    expect((await preview(token)).body).toEqual(body);
    const unknown = await preview(secrets.create());
    expectRefusal(unknown, 400, 'invalid_invitation');
    bodies.add(JSON.stringify({ ...unknown.body, request_id: '' }));
    expect((await respond(invited, { token, act: 'decline' })).body.state).toBe('declined');
    await expectInvalid(invited, token);
    expect(bodies.size).toBe(1);
    expectRefusal(await call(invited, 'GET', '/v2/team/info'), 403, 'plan_required');
  });

  it('leads from a mail to a membership; no response and no record contains its token', async () => {
    const { people, workspaceId } = await cast();
    const { email } = someone();
    const sent = await call(people.admin, 'POST', '/v2/team/send_invitation', { email, role: 'admin' });
    expect(sent.status).toBe(201);
    const invited = { id: expect.any(Number), email, role: 'admin', invited_by: people.admin.email };
    const times = { created_at: expect.any(String), expires_at: expect.any(String) };
    expect(sent.body).toEqual({ status: true, invitation: { ...invited, ...times, delivery: 'waiting' } });
    const { created_at, expires_at } = sent.body.invitation;
    expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(7 * 86_400_000);

    const pending = await eventually(async () => {
      const { body } = await call(people.owner, 'GET', '/v2/team/pending_invitations');
      return body.invitations.find((each: PendingDto) => each.email === email && each.delivery === 'sent');
    });
    expect(pending).toEqual({ ...sent.body.invitation, delivery: 'sent' });
    const mail = await mailTo(service, email);
    for (const person of [people.admin, people.owner]) expect(mail.text).toContain(person.email);
    const token = /x12_[\w-]{43}$/m.exec(mail.text)![0];
    expect(await everywhereInDatabase(token)).toEqual([]);

    const { body: session } = await service.call('POST', '/v2/auth/signup', { json: { email, password } });
    const newcomer = { token: session.token as string };
    const accepted = await call(newcomer, 'POST', '/v2/team/respond_invitation', { token, act: 'accept' });
    const team = { id: workspaceId, owner: people.owner.email };
    expect(accepted.body).toEqual({ status: true, state: 'accepted', team });
    const info = await call(newcomer, 'GET', '/v2/team/info');
    expect(info.body).toMatchObject({ user_level: 'admin', members_count: 6 });
    const again = await call(people.admin, 'POST', '/v2/team/send_invitation', { email });
    expectRefusal(again, 409, 'user_exists');
  });

  /** The tables that contain this text anywhere. */
  async function everywhereInDatabase(text: string): Promise<string[]> {
    const { database } = service;
    const tables = await database.query<{ name: string }>(
      `select quote_ident(table_schema) || '.' || quote_ident(table_name) as name
         from information_schema.tables
        where table_schema in ('public', 'bullmq') and table_type = 'BASE TABLE'`,
    );
    const found: string[] = [];
    for (const { name } of tables) {
      const hit = await database.one(`select from ${name} t where strpos(t::text, $1) > 0 limit 1`, [text]);
      if (hit) found.push(name);
    }
    return found;
  }
});
