import { describe, expect, it } from '@jest/globals';
import supertest from 'supertest';
import { ManualClock } from '@tocsin/core';
import { PRINCIPAL_HEADER, PrincipalSigner, PrincipalVerifier } from './authentication/index.ts';
import { accountKey } from '@tocsin/testkit';
import { createServiceApp, defineRoute } from './index.ts';

const KEYS = ['a-signing-key-of-the-installation'];
const clock = new ManualClock(new Date('2026-01-01T00:00:00Z'));

/** The answer of an operation that gives a file. */
async function download(name: string, content = 'BEGIN:VCALENDAR'): Promise<supertest.Response> {
  const route = defineRoute({
    operation: 'export-schedule',
    handle: () => Promise.resolve({ file: { name, type: 'text/calendar; charset=utf-8', content } }),
  });
  const onDefect = (error: unknown): never => {
    throw new Error('unexpected defect', { cause: error });
  };
  const app = createServiceApp({
    routes: [route],
    verifier: new PrincipalVerifier(KEYS, 'scheduling'),
    clock,
    onDefect,
    meaningOf: (error) => error,
  });
  const token = await new PrincipalSigner(KEYS).sign(accountKey, 'scheduling', clock.now());
  return supertest(app).get('/v2/schedules/x.ics').set(PRINCIPAL_HEADER, token);
}

describe('an answer that is a file', () => {
  it('is sent as it is, with its type, its name and the id of the request', async () => {
    const { status, headers, text } = await download('Ops.ics', 'één\r\n');
    expect([status, text]).toEqual([200, 'één\r\n']);
    expect(headers).toMatchObject({
      'content-type': 'text/calendar; charset=utf-8',
      'content-disposition': 'attachment; filename=Ops.ics',
      'content-length': '7',
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  it.each([
    ['../../etc/passwd.ics', 'attachment; filename=.._.._etc_passwd.ics'],
    ['a\r\nSet-Cookie: b=c.ics', 'attachment; filename="a_Set-Cookie_ b=c.ics"'],
    ['say "hi".ics', 'attachment; filename="say _hi_.ics"'],
    ['Größe 🔥.ics', `attachment; filename="Gr??e ??.ics"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%F0%9F%94%A5.ics`],
    ['\ud800.ics', `attachment; filename="?.ics"; filename*=UTF-8''%EF%BF%BD.ics`],
  ])('named %j is named safely', async (name, disposition) => {
    expect((await download(name)).headers['content-disposition']).toBe(disposition);
  });
});
