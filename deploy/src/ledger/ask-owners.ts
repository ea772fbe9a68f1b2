import { systemClock } from '@tocsin/core';
import { InternalClient, PrincipalSigner } from '@tocsin/http';
import type { z } from 'zod';
import { TroubleError } from '../trouble.ts';
import { Parts, type Reconciliation, type Owner } from './reconciliation.ts';

/** The URLs of the owners, and the key that signs requests to them. */
export interface Place {
  readonly urls: Readonly<Record<Owner, string>>;
  readonly signingKeys: readonly string[];
}

/** A service counts up to a million rows. */
const WITHIN_MS = 20_000;

/**
 * Asks all owners for their part of the ledger.
 *
 * @throws TroubleError that names the services that could not be asked.
 */
export async function askOwners(place: Place, since: Date): Promise<Reconciliation> {
  const ask = <O extends Owner>(owner: O) => askOwner(place, owner, since);
  const [commands, flows, messages] = await Promise.all([ask('alert-processor'), ask('scheduling'), ask('notifier')]);
  return { commands, flows, messages };
}

async function askOwner<O extends Owner>({ urls, signingKeys }: Place, owner: O, since: Date) {
  const client = new InternalClient({
    baseUrl: urls[owner],
    signer: new PrincipalSigner([...signingKeys]),
    // This is not a service. It signs as the gateway, because callers have to be services.
    caller: 'gateway',
    audience: owner,
    clock: systemClock,
    timeoutMs: WITHIN_MS,
  });
  try {
    const { body, status } = await client.get(`/internal/ledger?since=${encodeURIComponent(since.toISOString())}`);
    const part = Parts[owner].safeParse(body['data']);
    if (status !== 200 || !part.success) throw new Error(`it answered ${status}, which is no part of the ledger`);
    return part.data as z.infer<(typeof Parts)[O]>;
  } catch (error) {
    throw new TroubleError(`${owner} at ${urls[owner]} cannot be asked: ${reasonOf(error)}.`);
  } finally {
    await client.close();
  }
}

function reasonOf(error: unknown): string {
  let reason = error;
  while (reason instanceof Error && reason.cause !== undefined) reason = reason.cause;
  return reason instanceof Error ? reason.message : String(reason);
}
