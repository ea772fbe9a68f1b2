import type { ContactMethod } from '@tocsin/contracts';
import { OutgoingCaller } from '@tocsin/http';
import { LinkSigner } from '@tocsin/key-auth';
import type { ServiceContext } from '@tocsin/service-kit';
import type { Config } from '../config.ts';
import type { Channel } from '../ports/channel.ts';
import { linking } from './acknowledge-url.ts';
import type { CallbackLinks } from './callback-links.ts';
import { writeMail } from './email/message.ts';
import { SmtpMailProvider, smtpSettings } from './email/smtp-mail-provider.ts';
import { smsProviders, voiceProviders } from './phone-providers.ts';
import { ProviderChannel, type ProviderChannelOptions } from './provider-channel.ts';
import { writePush } from './push/message.ts';
import { Ntfy } from './push/ntfy.ts';
import { writeText } from './sms/message.ts';
import { writeCall } from './voice/message.ts';

/**
 * The channels for which the settings name a provider, by their methods. Providers of text messages and calls are told of
 * `callbacks`.
 */
export async function openChannels(
  context: ServiceContext<Config>,
  callbacks: CallbackLinks | undefined,
): Promise<ReadonlyMap<ContactMethod, Channel>> {
  const { config, logger } = context;
  const { accountName, messageIdHost, publicUrl, pushToken, pushUrl } = config;
  const links = new LinkSigner(config.common.signingKeys, 'acknowledge');
  const sender = { accountName, messageIdHost, publicUrl, ...linking(publicUrl, links) };
  const parts = {
    config,
    outgoing: new OutgoingCaller({ allowedRanges: config.outgoingAllowedRanges }),
    log: (message: object) => {
      logger.info(message, 'the message is written to the log instead of being handed over');
    },
  };
  const push = pushUrl === undefined ? [] : [{ url: pushUrl, ...(pushToken !== undefined && { token: pushToken }) }];
  const opened = [
    await openChannel(context, 'email', {
      write: (delivery) => writeMail(delivery, sender),
      providers: [new SmtpMailProvider(smtpSettings(config))],
    }),
    await openChannel(context, 'sms', {
      write: (delivery) => writeText(delivery, sender),
      providers: smsProviders(parts),
      callbackUrl: callbacks && ((provider, attempt) => callbacks.urlOf(provider, { ...attempt, method: 'sms' })),
    }),
    await openChannel(context, 'voice', {
      write: (delivery) => writeCall(delivery, sender),
      providers: voiceProviders(parts),
      callbackUrl: callbacks && ((provider, attempt) => callbacks.urlOf(provider, { ...attempt, method: 'voice' })),
    }),
    await openChannel(context, 'mobile', {
      write: (delivery) => writePush(delivery, sender),
      providers: push.map((settings) => new Ntfy(settings, parts.outgoing)),
    }),
  ];
  return new Map(opened.flat());
}

type ChannelParts<M> = Pick<ProviderChannelOptions<M>, 'write' | 'providers' | 'callbackUrl'>;

/** Nothing, where there is no provider. Providers close after everything that uses them. */
async function openChannel<M>(
  { lifecycle, logger }: ServiceContext<Config>,
  method: ContactMethod,
  { callbackUrl, providers, write }: ChannelParts<M>,
): Promise<readonly (readonly [ContactMethod, Channel])[]> {
  if (providers.length === 0) return [];
  const log = logger.child({ method });
  const channel = await lifecycle.start(
    `${method} providers`,
    () =>
      new ProviderChannel({
        write,
        providers,
        callbackUrl,
        onPassedOver: (provider, reason) => {
          log.warn({ provider, reason }, 'the provider takes no messages; another one is asked where there is one');
        },
        onBack: (provider) => {
          log.info({ provider }, 'the provider takes messages again');
        },
      }),
    async () => {
      for (const provider of providers) await provider.close?.();
    },
  );
  return [[method, channel]];
}
