import type { ServiceContext } from './context.ts';

/**
 * Repeats a job in real time, never two at once; a failure is logged and the next turn still comes. At the stop `stopping` is
 * aborted and the job that runs is waited for.
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
  await lifecycle.start(
    name,
    () => setInterval(turn, seconds * 1_000),
    async (timer) => {
      stopping.abort();
      clearInterval(timer);
      await running;
    },
  );
}
