import type { ServiceContext } from '../context.ts';
import { followClock, type FollowingContext } from '../follow-clock.ts';

/** The longest wait for the answer of a service, in real time. */
const ANSWER_LIMIT_MS = 2_000;
/** The resolution of the `Date` header. */
const DATE_RESOLUTION_MS = 1_000;

/**
 * Sets the clock of a service without a database by the clocks of the other services, which follow MongoDB's: to a second, by the
 * `Date` of the first answer to a HEAD request, whatever its status. Until a service answers, it uses the clock of the machine.
 */
export function followServices(context: FollowingContext & Pick<ServiceContext, 'config' | 'name' | 'onFatal'>): void {
  const { config, name, onFatal } = context;
  const others = Object.entries(config.common.serviceUrls).filter(([service]) => service !== name);
  const ask = () => Promise.any(others.map(([, url]) => dateAt(url)));
  followClock(context, { ask, readings: 1, resolutionMs: DATE_RESOLUTION_MS }).catch((error: unknown) => {
    if (!context.lifecycle.stopping) onFatal(error as Error);
  });
}

async function dateAt(url: string): Promise<Date> {
  const { headers } = await fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(ANSWER_LIMIT_MS) });
  const date = new Date(headers.get('date') ?? '');
  if (Number.isNaN(date.getTime())) throw new Error(`${url} sent no valid Date header.`);
  return date;
}
