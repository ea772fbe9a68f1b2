import type { ContactMethod } from '@tocsin/events';
import { OutgoingCaller, CodeSealer, CodeSigner, LinkSigner, lookUpsApart } from '@tocsin/http';
import type { ServiceContext } from '@tocsin/service';
import type { Config } from '../../config.ts';
import type { Channel, Pauses, Provider } from '../channel.ts';
import { linking } from '../callbacks/links.ts';
import { writeMail } from '../email/message.ts';
import { SmtpMailProvider, smtpSettings } from '../email/smtp-mail-provider.ts';
import type { Callbacks } from '../callbacks/open-callbacks.ts';
import { smsProviders, voiceProviders } from '../phone/providers.ts';
import { takesReplies, type PhoneConfig } from '../phone/settings.ts';
import { ProviderChannel, type ProviderChannelOptions } from './provider-channel.ts';
import { type Push, writePush } from '../push/message.ts';
import { Gotify } from '../push/gotify.ts';
import { MattermostPush } from '../push/mattermost.ts';
import { Ntfy } from '../push/ntfy.ts';
import { Pushover } from '../push/pushover.ts';
import { SlackPush } from '../push/slack.ts';
import { TelegramPush } from '../push/telegram.ts';
import type { PushedPages } from '../push/pushed-page-store.ts';
import { vapidKeys } from '../push/vapid.ts';
import { WebPush } from '../push/web-push.ts';
import type { UserReplica } from '../../messages/user-client.ts';
import type { AnswerableTextsParts } from '../sms/answerable-texts.ts';
import { writeText, type TextSettings } from '../sms/message.ts';
import { writeCall } from '../voice/message.ts';

export interface ChannelSources {
  /** Stores the codes of text messages to which users may reply. */
  readonly codes: AnswerableTextsParts['codes'];
  /** Knows the subscriptions of browsers. */
  readonly users: Pick<UserReplica, 'get'>;
  readonly pauses: Pauses;
  /** Called when a provider has accepted a message, as by {@link ProviderChannelOptions.onAccepted}. */
  readonly onAccepted: (method: ContactMethod, provider: string) => Promise<void>;
  /** Knows the pages that devices may show. */
  readonly pages: Pick<PushedPages, 'newest'>;
}

/**
 * The channels for which the settings name a provider, by their methods. Providers of text messages and calls get the URLs of
 * `callbacks`.
 */
export async function openChannels(
  context: ServiceContext<Config>,
  callbacks: Pick<Callbacks, 'urls' | 'keyUrls'> | undefined,
  { codes, onAccepted, pages, pauses, users }: ChannelSources,
): Promise<ReadonlyMap<ContactMethod, Channel>> {
  const { config, logger } = context;
  const { accountName, gotifyUrl, messageIdHost, publicUrl, pushToken, pushUrl, pushoverToken, pushoverUrl } = config;
  const links = new LinkSigner(config.common.signingKeys, 'acknowledge');
  const codeSealer = new CodeSealer(config.common.signingKeys);
  const openCode = (noticeId: string, sealed: string) => codeSealer.open(noticeId, sealed);
  const settings = { accountName, messageIdHost, publicUrl, openCode, ...linking(publicUrl, links) };
  const texts = { ...settings, lettersOf: lettersFor(config, config.common.signingKeys) };
  const parts = {
    config,
    outgoing: new OutgoingCaller({ allowedRanges: config.outgoingAllowedRanges }),
    keyUrls: callbacks?.keyUrls,
    replyCodes: {
      codes,
      onFailure: (error: unknown) => {
        logger.warn({ err: error }, 'the code of a text message cannot be kept; it goes out without one');
      },
    },
    log: (message: object) => {
      logger.info(message, 'the message is written to the log instead of being handed over');
    },
  };
  const push = pushUrl === undefined ? [] : [{ url: pushUrl, ...(pushToken !== undefined && { token: pushToken }) }];
  const vapid = vapidKeys(config);
  const pushSettings = {
    ...settings,
    subscriptionOf: (userId: string, name: string) =>
      users.get(userId)?.contacts.find(({ to }) => to === name)?.subscription,
  };
  // Any user names the push service of a browser.
  const toBrowsers = new OutgoingCaller({ allowedRanges: config.webPushAllowedRanges, resolve: lookUpsApart() });
  const ofProviders = { onAccepted, pauses };
  const opened = [
    await openChannel(context, ofProviders, 'email', {
      write: (outgoing) => writeMail(outgoing, settings),
      providers: [new SmtpMailProvider(smtpSettings(config))],
    }),
    await openChannel(context, ofProviders, 'sms', {
      write: (outgoing) => writeText(outgoing, texts),
      providers: smsProviders(parts),
      callbackUrl: callbacks && ((provider, attempt) => callbacks.urls.urlOf(provider, { ...attempt, method: 'sms' })),
    }),
    await openChannel(context, ofProviders, 'voice', {
      write: (outgoing) => writeCall(outgoing, settings),
      providers: voiceProviders(parts),
      callbackUrl:
        callbacks && ((provider, attempt) => callbacks.urls.urlOf(provider, { ...attempt, method: 'voice' })),
    }),
    await openChannel(context, ofProviders, 'mobile', {
      write: (outgoing) => writePush(outgoing, pushSettings),
      providers: [
        ...push.map((settings) => new Ntfy(settings, parts.outgoing, pages)),
        ...(gotifyUrl === undefined ? [] : [new Gotify(gotifyUrl, parts.outgoing)]),
        ...(pushoverUrl === undefined || pushoverToken === undefined
          ? []
          : [new Pushover({ url: pushoverUrl, token: pushoverToken }, parts.outgoing)]),
        ...chatAccounts(config, parts.outgoing, pages),
        ...(vapid === undefined ? [] : [new WebPush(vapid, toBrowsers)]),
      ],
    }),
  ];
  return new Map(opened.flat());
}

/** Sends to accounts of chats, where there is a bot. */
function chatAccounts(
  { mattermostBotToken, mattermostUrl, slackBotToken, slackUrl, telegramBotToken, telegramUrl }: Config,
  outgoing: OutgoingCaller,
  pages: ChannelSources['pages'],
): readonly Provider<Push>[] {
  return [
    ...(telegramBotToken === undefined
      ? []
      : [new TelegramPush({ url: telegramUrl, token: telegramBotToken }, outgoing, pages)]),
    ...(slackUrl === undefined || slackBotToken === undefined
      ? []
      : [new SlackPush({ url: slackUrl, token: slackBotToken }, outgoing, pages)]),
    ...(mattermostUrl === undefined || mattermostBotToken === undefined
      ? []
      : [new MattermostPush({ url: mattermostUrl, token: mattermostBotToken }, outgoing, pages)]),
  ];
}

/** Makes the codes of text messages; undefined where no provider takes replies. */
function lettersFor(config: PhoneConfig, signingKeys: readonly string[]): TextSettings['lettersOf'] {
  if (!config.smsProviders.some((name) => takesReplies(name, config))) return undefined;
  const codes = new CodeSigner(signingKeys);
  return (page) => codes.codeOf(page);
}

type ChannelParts<M> = Pick<ProviderChannelOptions<M>, 'write' | 'providers' | 'callbackUrl'>;

/** Nothing, where there is no provider. Providers close after everything that uses them. */
async function openChannel<M>(
  { config, lifecycle, logger }: ServiceContext<Config>,
  { onAccepted, pauses }: Pick<ChannelSources, 'onAccepted' | 'pauses'>,
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
        onAccepted: (provider) => onAccepted(method, provider),
        pauseOf: (provider) => pauses.of(`${method}/${provider}`),
        rateOf: (provider) => config.providerRates.get(`${method}/${provider}`),
        onSkipped: (provider, reason) => {
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
