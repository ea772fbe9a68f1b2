import { type ChatCall, type ChatMessage, fieldsIn, messagesAfter } from './chat-calls.ts';
import { startDouble, type ProviderDouble, type Reading, type SeenRequest } from './provider-double.ts';

/** The workflow of the double. */
export const TEAMS_WORKFLOW = { id: '0a1b2c3d4e5f', signature: 'signature-of-the-double' } as const;

/** A double of a workflow of Microsoft Teams, whose `url` is that of its trigger. */
export interface TeamsDouble extends ProviderDouble<ChatCall> {
  /** The cards that the channel has, oldest first. A card with the title of an earlier one is shown as its reply. */
  posts(): readonly ChatMessage[];
  /** From now on the workflow is not known. */
  removeChannel(): void;
}

/** Starts a double of a workflow that posts the cards that it is sent. As Teams does, it answers 202 without an id. */
export async function startTeams(): Promise<TeamsDouble> {
  const known = { isRemoved: false, all: (): readonly ChatCall[] => [] };
  const double = await startDouble<ChatCall>((request, count) =>
    known.isRemoved ? refused(404, 'WorkflowNotFound') : reading(request, count, known.all()),
  );
  known.all = () => double.taken;
  const query = new URLSearchParams({ 'api-version': '1', sv: '1.0', sig: TEAMS_WORKFLOW.signature }).toString();
  return {
    ...double,
    url: `${double.url}${PATH}?${query}`,
    posts: () => messagesAfter(double.taken),
    removeChannel: () => {
      known.isRemoved = true;
    },
  };
}

const PATH = `/workflows/${TEAMS_WORKFLOW.id}/triggers/manual/paths/invoke`;
/** A message has at most about 28 KB. */
const MAX_BYTES = 28_000;

const refused = (status: number, code: string): Reading<never> => ({
  refused: { status, body: JSON.stringify({ error: { code, message: 'It is refused.' } }) },
});

function reading({ body, bytes, method, path, query }: SeenRequest, count: number, calls: readonly ChatCall[]) {
  if (path !== PATH || method !== 'POST') return refused(404, 'WorkflowNotFound');
  if (query.get('sig') !== TEAMS_WORKFLOW.signature) return refused(401, 'DirectApiRequestHasInvalidSignature');
  if (bytes.length > MAX_BYTES) return refused(413, 'RequestEntityTooLarge');
  const content = fieldsIn(body) ?? {};
  const title = titleOf(content);
  if (title === undefined) return refused(400, 'TriggerInputSchemaMismatch');
  const parent = calls.find((call) => call.parent === undefined && titleOf(call.content) === title)?.id;
  const id = String(count);
  const call = { kind: 'post' as const, channel: '', id, content, ...(parent !== undefined && { parent }) };
  return { message: { ...call, atMs: performance.now() }, said: { status: 202, body: '' } };
}

interface Card {
  readonly type: string;
  readonly body: readonly { readonly type: string; readonly inlines?: readonly { readonly text: string }[] }[];
}

/** The first line of a card; undefined of what is none. */
function titleOf({ attachments, type }: Readonly<Record<string, unknown>>): string | undefined {
  const [first] = (attachments ?? []) as readonly { readonly contentType: string; readonly content: Card }[];
  if (type !== 'message' || first?.contentType !== 'application/vnd.microsoft.card.adaptive') return undefined;
  if (first.content.type !== 'AdaptiveCard') return undefined;
  return first.content.body[0]?.inlines?.map(({ text }) => text).join('');
}
