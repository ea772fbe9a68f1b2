import { call as callServer } from '../api/call.ts';

/** Whom a test alert goes to. */
export interface TestResponder {
  readonly type: 'team' | 'user';
  readonly id: string;
  /** Of a user the user name. */
  readonly name: string;
}

/** The page that sends a test alert, and what its description says of it. */
type TestPage = 'Set up' | 'Me';

export const TEST_PRIORITIES = ['P1', 'P2', 'P3', 'P4', 'P5'] as const;
export type TestPriority = (typeof TEST_PRIORITIES)[number];
export const DEFAULT_TEST_PRIORITY: TestPriority = 'P3';

/** The tag of all test alerts. */
const TEST_TAG = 'tocsin-test-alert';

/** The search that finds the test alerts to a responder. */
export const testAlertSearch = ({ name, type }: TestResponder): string =>
  `tag:${TEST_TAG} AND ${type === 'team' ? 'teams' : 'responders'}:"${name.replaceAll(/["\\]/g, String.raw`\$&`)}"`;

interface TestAlertRequest {
  readonly responder: TestResponder;
  readonly page: TestPage;
  readonly priority?: TestPriority;
}

/** Creates an alert that goes the way of all alerts to its responder. */
export async function sendTestAlert(
  { page, priority = DEFAULT_TEST_PRIORITY, responder: { id, type } }: TestAlertRequest,
  call: (request: Parameters<typeof callServer>[0]) => Promise<unknown> = callServer,
): Promise<void> {
  const unlessDone = type === 'team' ? 'it escalates as any other alert' : 'the steps of your notification rules go on';
  const body = {
    message: 'Test alert',
    description: `Sent from the page "${page}" of the console. Acknowledge it, or ${unlessDone}.`,
    priority,
    tags: [TEST_TAG],
    responders: [{ type, id }],
  };
  await call({ method: 'POST', path: '/v2/alerts', body, isDoneEachTime: true });
}
