import type { ServiceContext } from './context.ts';

/**
 * Runs a job every `seconds` of real time, never two at once. A failure is logged, and the job runs again. The stop of the
 * service aborts `stopping` and waits for the running job.
 */
export async function everySeconds(
  { lifecycle, logger }: Pick<ServiceContext, 'lifecycle' | 'logger'>,
  seconds: number,
  name: string,
  job: (stopping: AbortSignal) => Promise<unknown>,
): Promise<void> {
  const stopping = new AbortController();
  let running: Promise<unknown> | undefined;
  const turn = () => {
    running ??= job(stopping.signal)
      .catch((error: unknown) => {
        logger.error({ err: error }, `${name} failed`);
      })
      .finally(() => {
        running = undefined;
      });
  };
  await lifecycle.startWork(
    name,
    () => setInterval(turn, seconds * 1_000),
    async (timer) => {
      stopping.abort();
      clearInterval(timer);
      await running;
    },
  );
}
