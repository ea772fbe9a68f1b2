import type { OutgoingCaller } from '@tocsin/http';
import type { Provider } from '../channel.ts';
import type { GatewayTemplates } from '../gateway/settings.ts';
import { HttpGateway } from '../gateway/http-gateway.ts';
import { LogProvider, type LoggedMessage } from './log-provider.ts';
import { gatewayOf, takesReplies, type PhoneConfig } from './settings.ts';
import type { TextMessage } from '../sms/message.ts';
import { AnswerableTexts, type AnswerableTextsParts } from '../sms/answerable-texts.ts';
import { TwilioSms, type TwilioAccount, TwilioVoice } from '../twilio/twilio.ts';
import type { Call } from '../voice/message.ts';
import type { KeyLinks } from '../callbacks/links.ts';

export interface PhoneParts {
  readonly config: PhoneConfig;
  readonly outgoing: OutgoingCaller;
  /** Called with the messages that the provider `log` would have sent. */
  readonly log: (message: LoggedMessage) => void;
  /** The URLs for keys that are pressed during calls; undefined: calls ask for none. */
  readonly keyUrls: Pick<KeyLinks, 'urlOf'> | undefined;
  /** Stores the codes of text messages to which users may reply. */
  readonly replyCodes: Pick<AnswerableTextsParts, 'codes' | 'onFailure'>;
}

/** The providers of text messages, in the order of the settings, which were checked as they were read. */
export function smsProviders(parts: PhoneParts): readonly Provider<TextMessage>[] {
  const { config, replyCodes } = parts;
  return config.smsProviders.map((name) => {
    const provider = smsProvider(name, parts);
    return takesReplies(name, config) ? new AnswerableTexts({ provider, ...replyCodes }) : provider;
  });
}

function smsProvider(
  name: PhoneConfig['smsProviders'][number],
  { config, log, outgoing }: PhoneParts,
): Provider<TextMessage> {
  switch (name) {
    case 'twilio':
      return new TwilioSms({ ...accountOf(config), from: config.twilioFrom ?? '' }, outgoing);
    case 'http':
      return new HttpGateway(checked('sms', config), outgoing);
    case 'log':
      return new LogProvider('sms', log);
  }
}

/** As {@link smsProviders}, for calls. */
export const voiceProviders = ({ config, keyUrls, log, outgoing }: PhoneParts): readonly Provider<Call>[] =>
  config.voiceProviders.map((name) => {
    switch (name) {
      case 'twilio': {
        const from = config.twilioVoiceFrom ?? config.twilioFrom ?? '';
        return new TwilioVoice({ ...accountOf(config), from, keyUrls }, outgoing);
      }
      case 'http':
        return new HttpGateway(checked('voice', config), outgoing);
      case 'log':
        return new LogProvider('voice', log);
    }
  });

const accountOf = ({ twilioAccountSid = '', twilioApiUrl, twilioAuthToken = '' }: PhoneConfig): TwilioAccount => ({
  url: twilioApiUrl,
  accountSid: twilioAccountSid,
  authToken: twilioAuthToken,
});

function checked(method: 'sms' | 'voice', config: PhoneConfig): GatewayTemplates {
  const { data, error } = gatewayOf(method, config);
  if (error !== undefined) throw error;
  return data;
}
