import type { ContactMethod } from '@tocsin/events';
import { openCode } from './notice-samples.ts';
import { writeMail, type Mail } from '../channels/email/message.ts';
import { ProviderChannel } from '../channels/providers/provider-channel.ts';
import type { SendResult } from '../messages/attempts.ts';
import type { Channel, Pauses } from '../channels/channel.ts';

/** A channel for mail alone, over providers with these names. `send` gives their answers. Without `pauses` no provider waits. */
export function mailChannel(
  send: (mail: Mail, provider: string) => Promise<SendResult>,
  names: readonly string[] = ['smtp'],
  pauses?: Pauses,
  onAccepted?: (provider: string) => Promise<void>,
): ReadonlyMap<ContactMethod, Channel> {
  const sender = { accountName: 'Tocsin', messageIdHost: 'tocsin.invalid', publicUrl: undefined, openCode };
  const channel = new ProviderChannel({
    write: (outgoing) => writeMail(outgoing, sender),
    providers: names.map((name) => ({ name, send: (mail: Mail) => send(mail, name) })),
    onSkipped: () => undefined,
    onBack: () => undefined,
    onAccepted,
    pauseOf: pauses && ((name) => pauses.of(`email/${name}`)),
  });
  return new Map([['email', channel]]);
}
