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
    summary: 'Takes what a provider tells of a message, or somebody answers to it',
  },
] as const satisfies readonly Operation[];
