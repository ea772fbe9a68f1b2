import { expect } from '@jest/globals';
import { testApp, type TestApp } from './app-fixture.ts';

export const ADA = 'ada@example.com';
export const CONTACTS = `/v2/users/${ADA}/contacts`;
export const phone = { method: 'sms', to: '1-5551234567' };

/** The app with Ada, who has her mail contact. */
export async function withAda(): Promise<TestApp> {
  const app = await testApp();
  await app.user(ADA);
  return app;
}

/** The id of a contact that is added for the purpose. */
export async function added({ post }: TestApp, contact: object = phone): Promise<string> {
  const { status, body } = await post(CONTACTS, contact);
  expect(status).toBe(201);
  return (body as { data: { id: string } }).data.id;
}

/** The list of her contacts. */
export async function listed({ get }: TestApp): Promise<readonly Record<string, unknown>[]> {
  return ((await get(CONTACTS)).body as { data: Record<string, unknown>[] }).data;
}

/** The steps of the default rule for new alerts, as addresses and delays. */
export async function newAlertSteps({ directory }: TestApp): Promise<readonly unknown[]> {
  const { notificationRules } = await directory.users.get(ADA);
  const rule = notificationRules.find(({ actionType }) => actionType === 'create-alert');
  return (rule?.steps ?? []).map(({ contact, sendAfterMinutes }) => [contact.method, contact.to, sendAfterMinutes]);
}

/** Grows with every change that is written. */
export const versionOf = async ({ directory }: TestApp): Promise<number> => (await directory.users.get(ADA)).version.n;
