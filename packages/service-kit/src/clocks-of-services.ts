import type { Clock } from '@tocsin/clock';
import type { ServiceName } from '@tocsin/contracts';

/** A service that takes longer is left out, in milliseconds of real time. */
const LONGEST_ANSWER_MS = 2_000;
/** HTTP dates name full seconds: on average the clock is in the middle of one. */
const HALF_A_SECOND_MS = 500;

/**
 * By how many milliseconds the clock of each service but `self` is ahead of ours, from the `Date` of its answer to a HEAD request,
 * whatever that answer is. Each is compared with the moment of its own answer, so that a slow service changes nothing about the
 * others. Services that give no date are left out.
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
