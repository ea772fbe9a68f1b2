import { beforeEach, describe, expect, it } from '@jest/globals';
import { useSharedSystem } from '../system/system.ts';

const system = useSharedSystem();
let username: string;
let contacts: string;

beforeEach(async () => {
  const scenario = system.scenario();
  await scenario.users('ada');
  username = scenario.address('ada');
  contacts = `/v2/users/${username}/contacts`;
});

interface Contact {
  readonly id: string;
  readonly method: string;
  readonly to: string;
  readonly status: { readonly enabled: boolean };
  readonly applyOrder?: number;
}

describe('contacts (part 3, 4.2)', () => {
  it('create-contact answers 201 Created with the id; two of a method are the most', async () => {
    const { body } = await system.api.expect(201, 'POST', contacts, { method: 'SMS', to: '39-3331234567' });
    expect(body).toMatchObject({ result: 'Created', data: { id: expect.any(String) } });
    await system.api.expect(201, 'POST', contacts, { method: 'sms', to: '90-123' });
    expect((await system.api.request('POST', contacts, { method: 'sms', to: '1-5551234' })).status).toBe(422);
    expect((await system.api.request('POST', contacts, { method: 'voice', to: '555 1234' })).status).toBe(422);
    expect((await system.api.request('POST', contacts, { method: 'mobile', to: 'phone' })).status).toBe(422);
    expect((await system.api.request('POST', '/v2/users/unknown/contacts', { method: 'sms', to: '1-1' })).status).toBe(
      404,
    );
  });

  it('list-contacts answers each contact with its applyOrder', async () => {
    await system.api.create(contacts, { method: 'voice', to: '1-5551234' });
    const listed = await system.api.read<readonly Contact[]>(contacts);
    expect(listed).toMatchObject([
      { method: 'email', to: username, status: { enabled: true } },
      { method: 'voice', to: '1-5551234', status: { enabled: true } },
    ]);
    expect(listed.every(({ applyOrder }) => Number.isInteger(applyOrder))).toBe(true);
  });

  it('get-contact answers id, method, to and status', async () => {
    const { id } = await system.api.create(contacts, { method: 'email', to: 'ada@private.example.com' });
    expect(await system.api.read(`${contacts}/${id}`)).toEqual({
      id,
      method: 'email',
      to: 'ada@private.example.com',
      status: { enabled: true },
    });
    expect((await system.api.request('GET', `${contacts}/nothing`)).status).toBe(404);
  });

  it('update-contact changes the address, and the steps that use it follow', async () => {
    const [own] = await system.api.read<readonly Contact[]>(contacts);
    const { body } = await system.api.expect(200, 'PATCH', `${contacts}/${own?.id}`, { to: 'new@private.example.com' });
    expect(body).toMatchObject({ result: 'Updated', data: { id: own?.id } });
    const rules = `/v2/users/${username}/notification-rules`;
    const [rule] = await system.api.read<readonly { id: string }[]>(rules);
    const [step] = await system.api.read<readonly { contact: unknown }[]>(`${rules}/${rule?.id}/steps`);
    expect(step?.contact).toEqual({ method: 'email', to: 'new@private.example.com' });
    expect((await system.api.request('PATCH', `${contacts}/${own?.id}`, {})).status).toBe(422);
  });

  it('disable-contact and enable-contact answer the id', async () => {
    const { id } = await system.api.create(contacts, { method: 'voice', to: '1-5551234' });
    const disabled = await system.api.expect(200, 'POST', `${contacts}/${id}/disable`);
    expect(disabled.body).toMatchObject({ result: 'Disabled', data: { id } });
    expect(await system.api.read<Contact>(`${contacts}/${id}`)).toMatchObject({ status: { enabled: false } });
    const enabled = await system.api.expect(200, 'POST', `${contacts}/${id}/enable`);
    expect(enabled.body).toMatchObject({ result: 'Enabled', data: { id } });
    expect(await system.api.read<Contact>(`${contacts}/${id}`)).toMatchObject({ status: { enabled: true } });
  });

  it('delete-contact takes the steps that use it along', async () => {
    const [own] = await system.api.read<readonly Contact[]>(contacts);
    expect((await system.api.expect(200, 'DELETE', `${contacts}/${own?.id}`)).body).toMatchObject({
      result: 'Deleted',
    });
    expect(await system.api.read(contacts)).toEqual([]);
    const rules = `/v2/users/${username}/notification-rules`;
    const [rule] = await system.api.read<readonly { id: string }[]>(rules);
    expect(await system.api.read(`${rules}/${rule?.id}/steps`)).toEqual([]);
    expect((await system.api.request('DELETE', `${contacts}/${own?.id}`)).status).toBe(404);
  });
});
