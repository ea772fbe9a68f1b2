import { startDouble, type ProviderDouble, type SeenRequest } from './provider-double.ts';

/** A double of a gateway of messages with an API of its own: accepts every request, and answers `OK 17`. */
export const startMessageGateway = (): Promise<ProviderDouble<SeenRequest>> =>
  startDouble((request, count) => ({ message: request, said: { status: 200, body: `OK ${count}` } }));
