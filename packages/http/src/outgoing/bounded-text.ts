import type { Readable } from 'node:stream';

const MAX_ANSWER_BYTES = 16 * 1024;

/** The first 16 KiB of a body as text. `isCut` when the body is longer, breaks off or is late. */
export async function textOf(body: Readable): Promise<{ readonly body: string; readonly isCut: boolean }> {
  const chunks: Buffer[] = [];
  let size = 0;
  let isCut = false;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size <= MAX_ANSWER_BYTES) continue;
      isCut = true;
      break;
    }
  } catch {
    isCut = true;
  }
  return { body: Buffer.concat(chunks).subarray(0, MAX_ANSWER_BYTES).toString(), isCut };
}
