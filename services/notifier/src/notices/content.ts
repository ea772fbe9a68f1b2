import { InvariantError } from '@tocsin/core';
import {
  type ContactVerificationNotice,
  formatInstant,
  type InvitationNotice,
  type LeadTime,
  type NoticeCommand,
  type ReadinessNotice,
  type ReadinessSeverity,
  type ShiftNotice,
  type SignInNotice,
  type SubscriptionEndedNotice,
} from '@tocsin/events';
import { WallClock } from '@tocsin/rules';
import type { Block, Content, Row, ContentSettings } from '../messages/content.ts';
import { minutesLate } from './shift.ts';

/**
 * The content of a notice. The URL of the installation comes from its settings alone, because a caller may have made up the one in
 * a notice.
 */
export function noticeContent(notice: NoticeCommand, settings: ContentSettings): Content {
  switch (notice.kind) {
    case 'invitation':
      return invitation(notice, settings);
    case 'contact-verification':
      return verification(withPlainCode(notice, settings), settings);
    case 'sign-in':
      return signIn(withPlainCode(notice, settings), settings);
    case 'subscription-ended':
      return subscriptionEnded(notice, settings);
    case 'readiness':
      return readiness(notice, settings);
  }
}

/** The code is encrypted everywhere but in the message for the provider. */
function withPlainCode<N extends ContactVerificationNotice | SignInNotice>(
  notice: N,
  { openCode }: ContentSettings,
): N {
  if (openCode === undefined) throw new InvariantError('There is no key that opens codes.');
  return { ...notice, code: openCode(notice.noticeId, notice.code) };
}

/** The user who invited, the installation, and the address that is paged (U11). */
function invitation(
  { accountName, fullName, invitedBy, to, username }: InvitationNotice,
  { publicUrl }: ContentSettings,
): Content {
  const title = `${invitedBy} invites you to ${accountName}`;
  return {
    title,
    short: title,
    spoken: title,
    blocks: [
      { kind: 'text', lines: [`Hello ${fullName},`] },
      { kind: 'text', lines: [`${invitedBy} has made you a user of ${accountName}, which notifies people of alerts.`] },
      {
        kind: 'facts',
        rows: [
          ...(publicUrl === undefined ? [] : ([['Where', publicUrl]] as const)),
          ['Your user name', username],
          ['Alerts are sent to', to],
        ],
      },
    ],
  };
}

/** The title has no code, because mail servers log subjects. A voice says the code digit by digit (U3). */
function verification(
  { code, expiresAt, method, to, username }: ContactVerificationNotice,
  { accountName }: ContentSettings,
): Content {
  const until = formatInstant(new Date(expiresAt));
  return {
    title: 'Your verification code',
    short: `${code} is your verification code for ${accountName}, until ${until}.`,
    spoken: `Your verification code is ${code.replaceAll(/(?<=.)(?=.)/g, ', ')}.`,
    blocks: [
      { kind: 'text', lines: [`The code that confirms the ${method} contact ${to} of ${username}:`] },
      { kind: 'code', text: code },
      { kind: 'text', lines: [`It is valid until ${until}. If you did not ask for it, you need not do anything.`] },
    ],
  };
}

/** Where the console takes a code. Browsers send no fragment, so no server or log on the way sees the code. */
const SIGN_IN_PAGE = '/console/sign-in#code=';

/**
 * The title has no code, as in a verification. Digits in two groups are easier to copy. The link enters the code in the browser that asked
 * for it. The mail names that browser, its address and the time (K20).
 */
function signIn(notice: SignInNotice, { accountName, publicUrl }: ContentSettings): Content {
  const { address = '', at, browser = '', code: digits, expiresAt, username } = notice;
  const code = digits.replace(/^(\d{4})(\d{4})$/, '$1 $2');
  const until = formatInstant(new Date(expiresAt));
  const requested: readonly Row[] = [
    ['Asked for with', browser],
    ['From the address', address],
    ['At', formatInstant(new Date(at))],
  ];
  const link = publicUrl === undefined ? [] : [`Or open ${publicUrl}${SIGN_IN_PAGE}${digits} in that browser.`];
  return {
    title: 'Your code to sign in',
    short: `${code} is your code to sign in at ${accountName}, until ${until}.`,
    spoken: `Your code to sign in is ${digits.replaceAll(/(?<=.)(?=.)/g, ', ')}.`,
    blocks: [
      { kind: 'text', lines: [`The code with which ${username} signs in at ${accountName}:`] },
      { kind: 'code', text: code },
      { kind: 'text', lines: ['Type it in the browser in which you asked for it.', ...link] },
      { kind: 'facts', rows: requested.filter(([, value]) => value !== '') },
      {
        kind: 'text',
        lines: [`It is valid until ${until}, once. If you did not ask for it, you need not do anything.`],
      },
    ],
  };
}

/** Names the browser, what follows, and where to change it (U22). */
function subscriptionEnded({ deviceName, username }: SubscriptionEndedNotice, { publicUrl }: ContentSettings): Content {
  const title = 'A browser of yours shows no more pages';
  const where = publicUrl === undefined ? 'in the console' : `at ${publicUrl}/console/me`;
  return {
    title,
    short: `${title}: ${deviceName}.`,
    spoken: title,
    blocks: [
      { kind: 'text', lines: ['The push service of this browser says that it is no longer subscribed:'] },
      {
        kind: 'facts',
        rows: [
          ['Browser', deviceName],
          ['User', username],
        ],
      },
      {
        kind: 'text',
        lines: [
          'Steps of notification rules that use it are skipped.',
          `To be paged there again, sign in with that browser ${where} and press Page me on this device.`,
        ],
      },
    ],
  };
}

const SEVERITY_NAMES: Readonly<Record<ReadinessSeverity, string>> = {
  error: 'Error',
  warning: 'Warning',
  information: 'Information',
};

/** Each finding with what it costs and what mends it, and where the others are (U23). */
function readiness(
  { errorCount, findings, incompleteServices, totalCount }: ReadinessNotice,
  { accountName, publicUrl }: ContentSettings,
): Content {
  const counted = (count: number, name: string): string => `${count} ${name}${count === 1 ? '' : 's'}`;
  const errors = errorCount === 0 ? '' : `, ${counted(errorCount, 'error')}`;
  const title = `Readiness of ${accountName}: ${counted(totalCount, 'finding')}${errors}`;
  const left = totalCount - findings.length;
  return {
    title,
    short: title,
    spoken: title,
    blocks: [
      { kind: 'title', text: title },
      { kind: 'text', lines: ['What will go wrong when an alert comes: now, and in the next 14 days.'] },
      ...findings.map(({ message, remedy, severity }): Block => ({
        kind: 'facts',
        rows: [
          [SEVERITY_NAMES[severity], message],
          ['What mends it', remedy],
        ],
      })),
      ...(left === 0 ? [] : [{ kind: 'text', lines: [`And ${counted(left, 'more finding')}.`] } as const]),
      ...(incompleteServices.length === 0
        ? []
        : [{ kind: 'text', lines: [`Findings are missing of: ${incompleteServices.join(', ')}.`] } as const]),
      ...(publicUrl === undefined
        ? []
        : [{ kind: 'link', text: 'See all findings', url: `${publicUrl}/console/readiness` } as const]),
      {
        kind: 'text',
        lines: [
          'You get this mail each Monday, because it is switched on for you.',
          'Switch it off on the page Readiness of the console.',
        ],
      },
    ],
  };
}

const BEFORE: Readonly<Record<LeadTime, string>> = {
  'just-before': 'just before',
  '15-minutes-ago': '15 minutes before',
  '1-hour-ago': 'an hour before',
  '1-day-ago': 'a day before',
};

/** The content of a notice of a shift: the schedule, the time on the clock of that schedule, and the reason of the notice (U6). */
export function shiftContent(shift: ShiftNotice): Content {
  const { changesAt, leadTime, rotations, schedule } = shift;
  const title = `${what(shift)} ${wallTime(changesAt, schedule.timezone)} (${schedule.timezone})`;
  const late = minutesLate(shift);
  const facts: readonly Row[] = [
    ['Schedule', schedule.name],
    ['Rotation', rotations.join(', ')],
    [shift.actionType === 'schedule-start' ? 'Start' : 'End', formatInstant(new Date(changesAt))],
  ];
  const why = `You get this message because: a notification rule of yours asks for it ${BEFORE[leadTime]}.`;
  const blocks: readonly Block[] = [
    { kind: 'title', text: title },
    { kind: 'facts', rows: facts.filter(([, value]) => value !== '') },
    { kind: 'text', lines: late === 0 ? [why] : [why, `It comes ${late} ${late === 1 ? 'minute' : 'minutes'} late.`] },
  ];
  return { title, short: title, spoken: title, blocks };
}

function what({ actionType, at, changesAt, schedule: { name } }: ShiftNotice): string {
  const isPast = Date.parse(changesAt) <= Date.parse(at);
  if (actionType === 'schedule-start')
    return isPast ? `You have been on call in ${name} since` : `You are on call in ${name} from`;
  return isPast ? `Your time on call in ${name} ended at` : `Your time on call in ${name} ends at`;
}

const wallTime = (instant: string, timezone: string): string =>
  new Date(WallClock.of(timezone).at(Date.parse(instant))).toISOString().slice(0, 16).replace('T', ' ');
