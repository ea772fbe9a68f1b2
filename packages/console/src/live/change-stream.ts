import type { Changes } from '@tocsin/api';
import { CallError } from '../api/call-error.ts';
import { bodyOf, interruption } from '../api/call.ts';
import { EventParser } from './event-parser.ts';

/** Where hints about changes come from (L1). */
const PATH = '/console/api/changes';
/** After so long without a byte the stream is broken: a comment comes each 15 s (L1). */
const SILENCE_MS = 35_000;

export interface StreamHandlers {
  readonly signal: AbortSignal;
  /** Called when every later change is followed by a hint. */
  readonly onReady: () => void;
  readonly onChanges: (changes: Changes) => void;
}

/**
 * Follows the stream of changes. Resolves when the server ends it.
 *
 * @throws CallError where the server refuses it, and where it breaks or is silent
 */
export async function followChanges({ onChanges, onReady, signal }: StreamHandlers): Promise<void> {
  const silence = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const startSilence = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      silence.abort(new DOMException('The stream is silent.', 'TimeoutError'));
    }, SILENCE_MS);
  };
  startSilence();
  try {
    const response = await fetch(PATH, {
      credentials: 'same-origin',
      headers: { Accept: 'text/event-stream', 'X-Tocsin-Console': '1' },
      signal: AbortSignal.any([signal, silence.signal]),
    });
    if (!response.ok) await bodyOf(response);
    const parser = new EventParser();
    for await (const text of textOf(response)) {
      startSilence();
      for (const { data, name } of parser.take(text)) {
        if (name === 'ready') onReady();
        if (name === 'changes') onChanges(JSON.parse(data) as Changes);
      }
    }
  } catch (error) {
    throw error instanceof CallError ? error : interruption(error);
  } finally {
    clearTimeout(timer);
  }
}

/** The body of an answer, piece by piece. Not every browser can iterate over a stream. */
async function* textOf({ body }: Response): AsyncGenerator<string> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  if (reader === undefined) return;
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) yield piece.value;
}
