import type { ContactMethod } from '@tocsin/events';
import { openCode } from './notice-samples.ts';
import { writeMail, type Mail } from '../channels/email/message.ts';
import { ProviderChannel } from '../channels/providers/provider-channel.ts';
import type { SendResult } from '../messages/attempts.ts';
import type { Channel } from '../channels/channel.ts';

/** A channel for mail alone, over providers with these names. `send` gives their answers. */
export function mailChannel(
  send: (mail: Mail, provider: string) => Promise<SendResult>,
  names: readonly string[] = ['smtp'],
): ReadonlyMap<ContactMethod, Channel> {
  const sender = { accountName: 'Tocsin', messageIdHost: 'tocsin.invalid', publicUrl: undefined, openCode };
  const channel = new ProviderChannel({
    write: (outgoing) => writeMail(outgoing, sender),
    providers: names.map((name) => ({ name, send: (mail: Mail) => send(mail, name) })),
    onPassedOver: () => undefined,
    onBack: () => undefined,
  });
  return new Map([['email', channel]]);
}
