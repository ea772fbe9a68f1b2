import { z } from 'zod';
import type { Report } from '../button.ts';

/** A report of Slack by a connection. Slack waits for its acknowledgement. */
export interface Envelope {
  readonly kind: 'envelope';
  readonly id: string;
  readonly type: string;
  readonly payload: Report;
  /** Whether the acknowledgement may have an answer. */
  readonly takesAnswer: boolean;
}

/** A message of Slack by a connection. After `disconnect` the connection ends soon. */
export type SocketMessage =
  { readonly kind: 'hello' } | { readonly kind: 'disconnect'; readonly reason: string } | Envelope;

const Message = z.object({
  type: z.string(),
  reason: z.string().optional(),
  envelope_id: z.string().min(1).max(200).optional(),
  payload: z.record(z.string(), z.unknown()).optional(),
  accepts_response_payload: z.boolean().optional(),
});

/** The message in a text; undefined where it is none that Tocsin knows. */
export function socketMessageIn(text: string): SocketMessage | undefined {
  const read = Message.safeParse(jsonIn(text));
  if (!read.success) return undefined;
  const { accepts_response_payload: takesAnswer = false, envelope_id: id, payload = {}, reason = '', type } = read.data;
  if (type === 'hello') return { kind: 'hello' };
  if (type === 'disconnect') return { kind: 'disconnect', reason };
  return id === undefined ? undefined : { kind: 'envelope', id, type, payload, takesAnswer };
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
