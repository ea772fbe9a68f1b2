import type { ServiceName } from '@tocsin/contracts';

/** A service that takes longer is not asked any more, in milliseconds of real time. */
const PATIENCE_MS = 2_000;
/** HTTP names full seconds only: the clock is in the middle of one, as far as anybody can tell. */
const HALF_A_SECOND_MS = 500;

/** What the clocks of the services but `self` say, from the dates of their answers, whatever those are; not of who gives none. */
export async function clocksOfServices(
  urls: Readonly<Partial<Record<ServiceName, string>>>,
  self: ServiceName,
): Promise<readonly Date[]> {
  const others = Object.entries(urls).filter(([service]) => service !== self);
  const answers = await Promise.allSettled(
    others.map(([, url]) => fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(PATIENCE_MS) })),
  );
  return answers.flatMap((answer) => {
    const date = answer.status === 'fulfilled' ? Date.parse(answer.value.headers.get('date') ?? '') : NaN;
    return Number.isNaN(date) ? [] : [new Date(date + HALF_A_SECOND_MS)];
  });
}
