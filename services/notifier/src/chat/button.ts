import type { ButtonProvider } from '@tocsin/events';
import type { AnswerAction } from '../answers/answer.ts';
import type { ChatButton, ChatState } from './post.ts';

/** What a press of a button is about, signed by Tocsin. */
export interface ButtonSubject {
  readonly integrationId: string;
  readonly alertId: string;
  readonly tinyId: string;
  readonly action: AnswerAction;
}

export const LABELS: Readonly<Record<AnswerAction, string>> = {
  acknowledge: 'Acknowledge',
  close: 'Close',
  snooze: 'Snooze 1 h',
};

const ACTIONS: Readonly<Record<ChatState, readonly AnswerAction[]>> = {
  open: ['acknowledge', 'close', 'snooze'],
  acknowledged: ['close', 'snooze'],
  snoozed: ['acknowledge', 'close'],
  closed: [],
  deleted: [],
};

/** The buttons below a post about an alert in this state (C7). */
export const buttonsFor = (
  state: ChatState,
  signed: (action: AnswerAction) => Pick<ChatButton, 'token' | 'url'>,
): readonly ChatButton[] => ACTIONS[state].map((action) => ({ action, label: LABELS[action], ...signed(action) }));

/** A press of a button, as a product reports it. Nothing of it is verified. */
export interface ButtonPress {
  readonly token: string;
  /** By the id of the product. */
  readonly userId: string;
  /** Where an answer to this user alone is sent; absent where it is the answer to the report. */
  readonly answerAt?: string;
}

/** The ids of accounts. */
export const ACCOUNT_IDS: Readonly<Record<ButtonProvider, RegExp>> = {
  slack: /^[A-Z0-9]{1,40}$/,
  mattermost: /^[a-z0-9]{26}$/,
};

/** A JSON object of a product. */
export type Report = Readonly<Record<string, unknown>>;

/** The press in the body of a report. Undefined where it reports no press of such a button. */
export const pressIn = (provider: ButtonProvider, body: string): ButtonPress | undefined =>
  provider === 'slack' ? slackPressIn(reportIn(new URLSearchParams(body).get('payload') ?? '')) : mattermostPress(body);

/** The press in the payload of a report of Slack. Undefined where it reports no press of such a button. */
export function slackPressIn(payload: Report): ButtonPress | undefined {
  const { actions, response_url: answerAt, type, user } = payload;
  const [first] = Array.isArray(actions) ? (actions as readonly unknown[]) : [];
  const [token, userId = ''] = [textAt(first, 'value'), textAt(user, 'id')];
  if (type !== 'block_actions' || token === undefined || !ACCOUNT_IDS.slack.test(userId)) return undefined;
  return { token, userId, ...(typeof answerAt === 'string' && { answerAt }) };
}

function mattermostPress(body: string): ButtonPress | undefined {
  const report = reportIn(body);
  const [token, userId = ''] = [textAt(report['context'], 'token'), textAt(report, 'user_id')];
  return token === undefined || !ACCOUNT_IDS.mattermost.test(userId) ? undefined : { token, userId };
}

function reportIn(text: string): Report {
  try {
    const read: unknown = JSON.parse(text);
    return isReport(read) ? read : {};
  } catch {
    return {};
  }
}

const isReport = (value: unknown): value is Report => typeof value === 'object' && value !== null;

function textAt(value: unknown, name: string): string | undefined {
  const found = isReport(value) ? value[name] : undefined;
  return typeof found === 'string' ? found : undefined;
}
