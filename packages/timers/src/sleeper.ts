/**
 * The pause of one loop, which `wake` ends early. A `wake` that comes before `sleep` ends that sleep at once, so none is missed.
 * Real time.
 */
export class Sleeper {
  #isWoken = false;
  #end: (() => void) | undefined;

  /** For at most `milliseconds`; not at all for 0 or less. */
  async sleep(milliseconds: number): Promise<void> {
    if (!this.#isWoken && milliseconds > 0) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, milliseconds);
        this.#end = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#isWoken = false;
    this.#end = undefined;
  }

  wake(): void {
    this.#isWoken = true;
    this.#end?.();
  }
}
