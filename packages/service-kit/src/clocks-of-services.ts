import type { Clock } from '@tocsin/clock';
import type { ServiceName } from '@tocsin/contracts';

/** A service that takes longer is left out, real time. */
const LONGEST_ANSWER_MS = 2_000;
/** HTTP dates have full seconds. On average the clock was in the middle of one. */
const HALF_A_SECOND_MS = 500;

/**
 * How many milliseconds the clock of each service other than `self` is ahead of ours, by the `Date` header of its answer to a
 * HEAD request, whatever the status. Services without such a header are left out.
 */
export async function clocksOfServices(
  urls: Readonly<Partial<Record<ServiceName, string>>>,
  self: ServiceName,
  clock: Pick<Clock, 'now'>,
): Promise<readonly number[]> {
  const others = Object.entries(urls).filter(([service]) => service !== self);
  const answers = await Promise.allSettled(others.map(([, url]) => aheadMs(url, clock)));
  return answers.flatMap((answer) =>
    answer.status === 'fulfilled' && !Number.isNaN(answer.value) ? [answer.value] : [],
  );
}

async function aheadMs(url: string, clock: Pick<Clock, 'now'>): Promise<number> {
  const sentAt = clock.now().getTime();
  const { headers } = await fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(LONGEST_ANSWER_MS) });
  const answered = clock.now().getTime();
  return Date.parse(headers.get('date') ?? '') + HALF_A_SECOND_MS - (sentAt + answered) / 2;
}
