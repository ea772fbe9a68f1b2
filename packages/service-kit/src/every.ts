import type { ServiceContext } from './context.ts';

/** Repeats a job in real time, never two at once; a failure is logged and the next turn still comes. */
export async function everySeconds(
  { lifecycle, logger }: Pick<ServiceContext, 'lifecycle' | 'logger'>,
  seconds: number,
  name: string,
  job: () => Promise<unknown>,
): Promise<void> {
  let running: Promise<unknown> | undefined;
  const turn = () => {
    running ??= job()
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
      clearInterval(timer);
      await running;
    },
  );
}
