import request, { type Response } from 'supertest';
import type { KeyPrincipal, UserPrincipal } from '@tocsin/http';
import { accountKey } from '@tocsin/testkit';
import { setUp, type Component } from './component-fixture.ts';
import { create } from './commands-samples.ts';

export const PATH = '/v2/alerts/disk/attachments';
export const BY_ALIAS = '?alertIdentifierType=alias';
const INTEGRATION = { id: 'integration-1', name: 'Default API', type: 'API' };

/** A file and its uploader; by default the bytes `hello` as `a.txt`. */
export interface Sent {
  readonly path?: string;
  readonly name?: string;
  readonly bytes?: Buffer;
  readonly fields?: Record<string, string>;
  readonly principal?: Partial<KeyPrincipal> | UserPrincipal;
}

/** The service with one alert, `disk`. */
export async function withAlert(): Promise<Component> {
  const component = await setUp();
  await component.apply(create('disk', { integration: { ...INTEGRATION, ownerTeamId: 'red' } }));
  return component;
}

/** Attaches a file to `disk`, by default with an account-wide key. */
export async function attach({ app, vouched }: Component, sent: Sent = {}): Promise<Response> {
  const { path = PATH + BY_ALIAS, name = 'a.txt', bytes = Buffer.from('hello'), fields = {}, principal } = sent;
  const upload = request(app).post(path);
  void upload.set(await vouched({ ...accountKey, ...principal }));
  for (const [field, value] of Object.entries(fields)) void upload.field(field, value);
  return upload.attach('file', bytes, { filename: name, contentType: 'text/plain' });
}

/** The id in the answer to a create. */
export const idOf = (answer: Response): string => (answer.body as { data: { id: string } }).data.id;
export const dataOf = (answer: Response): unknown => (answer.body as { data: unknown }).data;

/** The log of `disk`. */
export async function logsOf({ get }: Component): Promise<unknown[]> {
  return dataOf(await get('/v2/alerts/disk/logs?identifierType=alias&order=asc')) as unknown[];
}

/** Opens the link to a file. */
export async function follow(
  { app, vouched, get }: Component,
  id: string,
  change = (url: string) => url,
): Promise<Response> {
  const { url } = dataOf(await get(`${PATH}/${id}${BY_ALIAS}`)) as { url: string };
  return request(app)
    .get(change(url).replace('https://alerts.example.com', ''))
    .set(await vouched({ service: 'gateway' }));
}
