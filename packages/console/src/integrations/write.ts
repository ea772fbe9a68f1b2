import type { Answer } from '../api/answer.ts';
import { CallError } from '../api/call-error.ts';
import { call } from '../api/call.ts';
import { sendUnlessChanged, type GuardedResult } from '../api/guarded-write.ts';
import { changesBetween, type IntegrationForm, replacementBody } from './form.ts';
import { type Integration, integrationPath } from './queries.ts';

interface Server {
  readonly call: <T>(request: Parameters<typeof call>[0]) => Promise<T>;
}

const SERVER: Server = { call };

/** A key, and until when the one before it is valid. */
export interface ShownKey {
  readonly apiKey: string;
  readonly previousKeyValidUntil?: string;
}

interface CreatedIntegration {
  readonly id: string;
  /** Undefined where it has none: type Email. The server shows it this once. */
  readonly key: ShownKey | undefined;
}

/** Creates an enabled integration. */
export async function createIntegration(body: object, server = SERVER): Promise<CreatedIntegration> {
  const request = { method: 'POST', path: '/v2/integrations', body } as const;
  const { data } = await server.call<Answer<'create-integration'>>(request);
  return { id: data.id, key: data.apiKey === undefined ? undefined : { apiKey: data.apiKey } };
}

/** Replaces the key of an integration. The server shows the new one this once (P12). */
export async function replaceKey(id: string, server = SERVER): Promise<ShownKey> {
  const path = `${integrationPath(id)}/rotate-key`;
  return (await server.call<Answer<'rotate-integration-key'>>({ method: 'POST', path })).data;
}

interface IntegrationChange {
  readonly form: IntegrationForm;
  /** What the form was filled from. */
  readonly filled: Integration;
  /** What its person saw last. */
  readonly seen: Integration;
}

/**
 * Changes an integration, unless another person changed the same since its person saw it. It is read right before, and what its form does
 * not have is written as it was read.
 */
export async function changeIntegration(
  { filled, form, seen }: IntegrationChange,
  server = SERVER,
): Promise<GuardedResult<Integration>> {
  const path = integrationPath(filled.id);
  let read = seen;
  return sendUnlessChanged(
    seen,
    {
      read: async () => (read = (await server.call<Answer<'get-integration'>>({ path })).data),
      changesBetween,
    },
    () => server.call({ method: 'PUT', path, body: replacementBody(form, filled, read) }),
  );
}

type IntegrationAction = 'enable' | 'disable' | 'delete';

/** Enables, disables or deletes an integration. One that is deleted already stays so. */
export async function act(action: IntegrationAction, id: string, server = SERVER): Promise<void> {
  const path = integrationPath(id);
  if (action !== 'delete') {
    await server.call({ method: 'POST', path: `${path}/${action}` });
    return;
  }
  try {
    await server.call<Answer<'delete-integration'>>({ method: 'DELETE', path });
  } catch (error) {
    if (!(error instanceof CallError && error.failure === 'missing')) throw error;
  }
}
