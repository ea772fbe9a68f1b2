import type { Operation } from './operation.ts';

/** Where providers of messages tell what became of them (U7), and what people answer to them (U9). Ours. */
export const CALLBACK_OPERATIONS = [
  {
    right: 'callback',
    domain: 'alert',
    owner: 'notifier',
    id: 'take-callback',
    method: 'POST',
    path: '/callbacks/{provider}',
    passedHeaders: ['x-twilio-signature'],
    maxBodyBytes: 65_536,
    summary: 'Takes the report of a provider about a message, or the answer of a user',
  },
] as const satisfies readonly Operation[];
