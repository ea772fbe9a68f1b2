import { startDouble, type ProviderDouble, type Reading, type SeenRequest } from './provider-double.ts';

/** A message that the double of a gateway to Signal accepted. */
export interface SignalMessage {
  readonly number: string;
  readonly recipients: readonly string[];
  readonly message: string;
}

/** A double of signal-cli-rest-api, with one linked account: it takes messages of `account` at `/v2/send`. */
export const startSignalGateway = (account: string): Promise<ProviderDouble<SignalMessage>> =>
  startDouble((request, count) => reading(request, count, account));

function reading(request: SeenRequest, count: number, account: string): Reading<SignalMessage> {
  if (request.method !== 'POST' || request.path !== '/v2/send')
    return { refused: { status: 404, body: '404 page not found' } };
  const message = jsonOf(request.body);
  if (message === undefined) return refused("Couldn't process request - invalid request");
  if (!Array.isArray(message.recipients) || message.recipients.length === 0)
    return refused("Couldn't process request - please provide at least one recipient");
  if (message.number !== account) return refused(`Specified account does not exist: ${message.number}`);
  return { message, said: { status: 201, body: JSON.stringify({ timestamp: String(1_700_000_000_000 + count) }) } };
}

function jsonOf(body: string): SignalMessage | undefined {
  try {
    return JSON.parse(body) as SignalMessage;
  } catch {
    return undefined;
  }
}

const refused = (error: string): Reading<never> => ({ refused: { status: 400, body: JSON.stringify({ error }) } });
