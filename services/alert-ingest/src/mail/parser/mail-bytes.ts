const BLOCK_BYTES = 64 * 1024;

/** The received bytes of a mail, in large blocks: a mail in millions of pieces takes as much memory as one that comes at once. */
export class MailBytes {
  readonly #full: Buffer[] = [];
  #block = Buffer.alloc(0);
  #used = 0;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(piece: Uint8Array): void {
    this.#size += piece.byteLength;
    for (let left = piece; left.byteLength > 0;) {
      if (this.#used === this.#block.byteLength) this.#nextBlock();
      const taken = left.subarray(0, this.#block.byteLength - this.#used);
      this.#block.set(taken, this.#used);
      this.#used += taken.byteLength;
      left = left.subarray(taken.byteLength);
    }
  }

  /** All of it, in its order. */
  whole(): Buffer {
    return Buffer.concat([...this.#full, this.#block.subarray(0, this.#used)], this.#size);
  }

  #nextBlock(): void {
    if (this.#used > 0) this.#full.push(this.#block);
    this.#block = Buffer.allocUnsafeSlow(BLOCK_BYTES);
    this.#used = 0;
  }
}
