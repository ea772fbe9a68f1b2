import { ensureDefaultIntegration } from '../application/first-start.ts';
import { ADA, countingIds, OPS, serviceUnderTest, type ServiceUnderTest } from './service-under-test.ts';

interface Created {
  readonly id: string;
  readonly apiKey: string;
}

/** A new integration of type API, called `Probe` unless told. */
export async function created({ call }: ServiceUnderTest, fields: object = {}): Promise<Created> {
  const { status, body } = await call('post', '/v2/integrations', { type: 'API', name: 'Probe', ...fields });
  if (status !== 201) throw new Error(`${status}: ${JSON.stringify(body)}`);
  return (body as { data: Created }).data;
}

/** The integration as a GET answers it. */
export async function detail({ call }: ServiceUnderTest, id: string): Promise<Record<string, unknown>> {
  const { status, body } = await call('get', `/v2/integrations/${id}`);
  if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`);
  return (body as { data: Record<string, unknown> }).data;
}

/** A service that knows the team Ops, the user Ada and the default integration. */
export async function furnished(): Promise<ServiceUnderTest> {
  const service = serviceUnderTest();
  service.teams.put(OPS.id, OPS);
  service.users.put(ADA.id, ADA);
  const { store, clock } = service;
  await ensureDefaultIntegration(
    { store, clock, newId: countingIds(), notice: () => undefined },
    'b0b0b0b0-0000-4000-8000-000000000000',
  );
  return service;
}
