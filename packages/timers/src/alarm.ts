/**
 * One waiting loop's bell: `wait` ends when the time is over or when somebody rings, and a ring while nobody waits ends the
 * next wait at once, so none is missed. Real time.
 */
export class Alarm {
  #rung = false;
  #end: (() => void) | undefined;

  /** At most `milliseconds`; not at all for 0 or less. */
  async wait(milliseconds: number): Promise<void> {
    if (!this.#rung && milliseconds > 0) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, milliseconds);
        this.#end = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#rung = false;
    this.#end = undefined;
  }

  ring(): void {
    this.#rung = true;
    this.#end?.();
  }
}
