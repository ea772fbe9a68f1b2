import { describe, expect, it } from '@jest/globals';
import { OPSGENIE_KEYS, startOpsgenie } from './opsgenie-double.ts';

const headers = { authorization: `GenieKey ${OPSGENIE_KEYS.account}` };

describe('the double of Opsgenie', () => {
  it('fails the test in which anything but GET is sent to it', async () => {
    const double = await startOpsgenie();
    const answer = await fetch(`${double.url}/v2/users`, { method: 'POST', headers });
    expect(answer.status).toBe(405);
    await expect(double.stop()).rejects.toThrow('Opsgenie is only read, but got POST /v2/users.');
  });

  it('answers as an account that users change while it is read', async () => {
    const double = await startOpsgenie();
    const names = async (): Promise<unknown> => (await fetch(`${double.url}/v2/teams/`, { headers })).json();
    expect(await names()).toMatchObject({ data: [{ name: 'Ops' }, { name: 'Data' }] });
    double.beforeAnswer = () => {
      double.account.teams.length = 1;
    };
    expect(await names()).toMatchObject({ data: [{ name: 'Ops' }] });
    await double.stop();
  });
});
