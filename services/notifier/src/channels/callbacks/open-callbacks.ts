import type { Clock } from '@tocsin/core';
import { LinkSigner } from '@tocsin/http';
import type { Config } from '../../config.ts';
import type { CallbackProvider } from '../callback-provider.ts';
import { GatewayCallbacks, type GatewayReplies } from '../gateway/callbacks.ts';
import { gatewayOf, takesReplies } from '../phone/settings.ts';
import { TwilioCallbacks } from '../twilio/callbacks.ts';
import { CallbackLinks, KeyLinks } from './links.ts';

/** How providers call back. */
export interface Callbacks {
  readonly urls: CallbackLinks;
  readonly keyUrls: KeyLinks;
  readonly providers: ReadonlyMap<string, CallbackProvider>;
}

/** The providers that call back; undefined without `CALLBACK_URL`. */
export function openCallbacks(config: Config, clock: Clock): Callbacks | undefined {
  const { callbackUrl: baseUrl, common, smsProviders, twilioAuthToken, voiceProviders } = config;
  if (baseUrl === undefined) return undefined;
  const used = new Set([...smsProviders, ...voiceProviders]);
  const providers = new Map<string, CallbackProvider>();
  if (used.has('twilio') && twilioAuthToken !== undefined)
    providers.set('twilio', new TwilioCallbacks(twilioAuthToken, canReplyBy('twilio', config)));
  if (used.has('http')) {
    const gateways = { sms: gatewayOf('sms', config).data, voice: gatewayOf('voice', config).data };
    providers.set('http', new GatewayCallbacks(gateways, agreedReplies(config)));
  }
  const links = new LinkSigner(common.signingKeys, 'callback');
  const keys = new LinkSigner(common.signingKeys, 'call-key');
  return {
    urls: new CallbackLinks({ baseUrl, links, clock }),
    keyUrls: new KeyLinks({ baseUrl, links: keys, clock }),
    providers,
  };
}

const canReplyBy = (name: 'twilio' | 'http', config: Config): boolean =>
  config.smsProviders.includes(name) && takesReplies(name, config);

function agreedReplies(config: Config): GatewayReplies | undefined {
  const { smsHttpReplyFromField: fromField, smsHttpReplyTextField: textField, smsHttpReplyToken: token } = config;
  return token === undefined || !canReplyBy('http', config) ? undefined : { token, fromField, textField };
}
