import {
  formatInstant,
  type ContactVerificationNotice,
  type InvitationNotice,
  type NoticeCommand,
} from '@tocsin/contracts';
import { oneLine } from './one-line.ts';

/**
 * What a notice says: every value of somebody's making stands in one line, so that none can forge a line or a head. Where the
 * installation is comes from its settings alone: what a notice says of that may be what its caller has made up.
 */
export function noticeText(
  notice: NoticeCommand,
  publicUrl: string | undefined,
): { readonly subject: string; readonly lines: readonly string[] } {
  const { lines, subject } = notice.kind === 'invitation' ? invitation(notice, publicUrl) : verification(notice);
  return { subject: oneLine(subject), lines: lines.map(oneLine) };
}

/** Who invited, where, and what address is paged (U11). */
function invitation(
  { accountName, fullName, invitedBy, to, username }: InvitationNotice,
  publicUrl: string | undefined,
) {
  return {
    subject: `${invitedBy} invites you to ${accountName}`,
    lines: [
      `Hello ${fullName},`,
      '',
      `${invitedBy} has made you a user of ${accountName}, which tells people of alerts.`,
      '',
      ...(publicUrl === undefined ? [] : [`Where: ${publicUrl}`]),
      `Your user name: ${username}`,
      `Alerts are sent to: ${to}`,
    ],
  };
}

/** The subject tells nothing: mail servers write subjects into their logs. */
function verification({ code, expiresAt, method, to, username }: ContactVerificationNotice) {
  return {
    subject: 'Your verification code',
    lines: [
      `The code that confirms the ${method} contact ${to} of ${username}:`,
      '',
      code,
      '',
      `It is of use until ${formatInstant(new Date(expiresAt))}. If you did not ask for it, you need not do anything.`,
    ],
  };
}
