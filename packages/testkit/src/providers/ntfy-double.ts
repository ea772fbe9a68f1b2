import { startDouble, type ProviderDouble, type Reading, type SeenRequest } from './provider-double.ts';

/** A message that the double of ntfy accepted. */
export interface PushedMessage {
  readonly topic: string;
  readonly title?: string;
  readonly message?: string;
  readonly priority?: number;
  readonly sequence_id?: string;
  readonly actions?: readonly { readonly action: string; readonly url: string; readonly method?: string }[];
}

/** A double of an ntfy server that accepts JSON. With a token it accepts requests with this token only. */
export const startNtfy = (token?: string): Promise<ProviderDouble<PushedMessage>> =>
  startDouble((request, count) => reading(request, count, token));

function reading(request: SeenRequest, count: number, token: string | undefined): Reading<PushedMessage> {
  if (request.method !== 'POST' || request.path !== '/') return refused(404, 40_401, 'page not found');
  if (token !== undefined && request.headers.authorization !== `Bearer ${token}`)
    return refused(401, 40_101, 'unauthorized');
  const message = jsonOf(request.body);
  if (message === undefined) return refused(400, 40_024, 'invalid request: request body must be valid JSON');
  if (!/^[-\w]{1,64}$/.test(message.topic)) return refused(400, 40_009, 'invalid request: topic invalid');
  if (message.sequence_id !== undefined && !/^[-\w]{1,64}$/.test(message.sequence_id))
    return refused(400, 40_049, 'invalid request: sequence ID invalid');
  const said = { status: 200, body: JSON.stringify({ id: `push${count}`, event: 'message', ...message }) };
  return { message, said };
}

function jsonOf(body: string): PushedMessage | undefined {
  try {
    return JSON.parse(body) as PushedMessage;
  } catch {
    return undefined;
  }
}

const refused = (status: number, code: number, error: string): Reading<never> => ({
  refused: { status, body: JSON.stringify({ code, http: status, error }) },
});
