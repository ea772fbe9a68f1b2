import type { Clock } from '@tocsin/clock';
import { ConflictError } from '@tocsin/errors';
import { hashKey } from '@tocsin/key-auth';
import { DEFAULT_INTEGRATION } from '../domain/integration.ts';
import { defaultIntegration } from '../domain/new-integration.ts';
import type { IntegrationStore } from '../ports/integration-store.ts';

export interface FirstStartPorts {
  readonly store: IntegrationStore;
  readonly clock: Clock;
  /** A fresh random UUID. */
  readonly newId: () => string;
  /** Tells whoever starts the service something, once; it goes to the log. */
  readonly notice: (text: string) => void;
  /** Shows a line at a terminal; undefined where there is none, and all that is said is kept. */
  readonly show?: ((line: string) => void) | undefined;
}

/**
 * Sees to it that `Default API` exists (K5): made at the first start with `bootstrapKey`, or with a key of its own that is
 * shown once, at the terminal alone. Any later start, and any other replica that starts at the same time, changes nothing.
 *
 * @throws Error at a first start without a key and without a terminal: a key in a log would be everybody's. Nothing is made.
 */
export async function ensureDefaultIntegration(
  ports: FirstStartPorts,
  bootstrapKey: string | undefined,
): Promise<void> {
  const { store, clock, notice } = ports;
  const existing = await store.find(DEFAULT_INTEGRATION.id);
  if (existing !== undefined) {
    if (bootstrapKey !== undefined && existing.key?.hash !== hashKey(bootstrapKey))
      notice(`${existing.name} exists and keeps its key, which is not the one of BOOTSTRAP_API_KEY`);
    return;
  }
  const key = bootstrapKey ?? generated(ports);
  const origin = { createdAt: clock.now(), key: { hash: hashKey(key), lastFour: key.slice(-4) } };
  if (!(await inserted(store, origin))) return;
  if (bootstrapKey === undefined)
    ports.show?.(`${DEFAULT_INTEGRATION.name} was created, its key is shown this once: ${key}`);
}

function generated({ newId, show }: FirstStartPorts): string {
  if (show === undefined)
    throw new Error(`${DEFAULT_INTEGRATION.name} needs its first key: set BOOTSTRAP_API_KEY to a UUID`);
  return newId();
}

/** False when another replica was first. */
async function inserted(store: IntegrationStore, origin: Parameters<typeof defaultIntegration>[0]): Promise<boolean> {
  try {
    await store.insert(defaultIntegration(origin));
    return true;
  } catch (error) {
    if (error instanceof ConflictError) return false;
    throw error;
  }
}
