import type { Readable } from 'node:stream';

/** The first `maxBytes` of a body as text. `isCut` when the body is longer, breaks off or is late. */
export async function textOf(
  body: Readable,
  maxBytes: number,
): Promise<{ readonly body: string; readonly isCut: boolean }> {
  const chunks: Buffer[] = [];
  let size = 0;
  let isCut = false;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size <= maxBytes) continue;
      isCut = true;
      break;
    }
  } catch {
    isCut = true;
  }
  return { body: Buffer.concat(chunks).subarray(0, maxBytes).toString(), isCut };
}
