import { ensureDefaultIntegration } from '../integrations/operations.ts';
import { ADA, countingIds, OPS, openService, type TestService } from './app-fixture.ts';

interface Created {
  readonly id: string;
  readonly apiKey: string;
}

/** A new integration of type API, called `Probe` by default. */
export async function created({ call }: TestService, fields: object = {}): Promise<Created> {
  const { status, body } = await call('post', '/v2/integrations', { type: 'API', name: 'Probe', ...fields });
  if (status !== 201) throw new Error(`${status}: ${JSON.stringify(body)}`);
  return (body as { data: Created }).data;
}

/** The integration as a GET answers it. */
export async function detail({ call }: TestService, id: string): Promise<Record<string, unknown>> {
  const { status, body } = await call('get', `/v2/integrations/${id}`);
  if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`);
  return (body as { data: Record<string, unknown> }).data;
}

/** A service that knows the team Ops, the user Ada and the default integration. */
export async function openFurnishedService(options: Parameters<typeof openService>[0] = {}): Promise<TestService> {
  const service = await openService(options);
  service.teams.put(OPS.id, OPS);
  service.users.put(ADA.id, ADA);
  const { store, clock } = service;
  await ensureDefaultIntegration(
    { store, clock, newId: countingIds(), notice: () => undefined },
    'b0b0b0b0-0000-4000-8000-000000000000',
  );
  return service;
}
