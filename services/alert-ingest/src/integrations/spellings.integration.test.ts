import { beforeEach, describe, expect, it } from '@jest/globals';
import { created as createdAt, detail as detailAt, openFurnishedService } from '../testing/integrations-fixture.ts';
import type { TestService } from '../testing/app-fixture.ts';

let service: TestService;

beforeEach(async () => {
  service = await openFurnishedService();
});

const created = (fields: object) => createdAt(service, fields);
const detail = (id: string) => detailAt(service, id);
const replace = (id: string, body: object) => service.call('put', `/v2/integrations/${id}`, body);

describe('a GET that is sent back with a change', () => {
  const KEPT = { ignoreRecipientsFromPayload: false, ignoreTeamsFromPayload: true };

  it.each([
    [{ responders: [{ type: 'all' }] }, { recipients: [{ type: 'all' }] }],
    [{ responders: [] }, { recipients: [] }],
    [{ ignoreRespondersFromPayload: true }, { ignoreRecipientsFromPayload: true, ignoreTeamsFromPayload: true }],
    [{ name: 'Renamed' }, { ...KEPT, ignoreRespondersFromPayload: false, responders: [{ type: 'none' }] }],
  ])(
    'in the newer spelling, %j, beside the older one as it was, changes both, also when it is repeated (P2)',
    async (change, after) => {
      const { id } = await created({ recipients: [{ type: 'none' }], ...KEPT });
      const body = { ...(await detail(id)), ...change };
      for (const delivered of [body, body]) expect((await replace(id, delivered)).status).toBe(200);
      expect(await detail(id)).toMatchObject({ ...change, ...after });
    },
  );

  it('takes back by the newer flag alone what is left out of the payload (P2)', async () => {
    const { id } = await created({ ignoreRecipientsFromPayload: true, ignoreTeamsFromPayload: true });
    await replace(id, { ...(await detail(id)), ignoreRespondersFromPayload: false });
    const off = { ignoreRecipientsFromPayload: false, ignoreTeamsFromPayload: false };
    expect(await detail(id)).toMatchObject({ ...off, ignoreRespondersFromPayload: false });
  });
});
