import type { Turn } from '../ports/delivery-store.ts';

/** The turns that this process has, each until its work has ended. */
export class TurnsUnderWay {
  readonly #work = new Map<Turn, Promise<void>>();
  #onRoom: () => void = () => undefined;

  get turns(): readonly Turn[] {
    return [...this.#work.keys()];
  }

  get size(): number {
    return this.#work.size;
  }

  /** Calls `listener` whenever a turn ends. */
  whenRoom(listener: () => void): void {
    this.#onRoom = listener;
  }

  /** `work` never rejects. */
  add(turn: Turn, work: Promise<void>): void {
    const ended = work.finally(() => {
      this.#work.delete(turn);
      this.makeRoom();
    });
    this.#work.set(turn, ended);
  }

  /** Says that there is room, though no turn ended. */
  makeRoom(): void {
    this.#onRoom();
  }

  /** Resolves when each turn that is under way now has ended. */
  async settled(): Promise<void> {
    await Promise.all(this.#work.values());
  }
}
